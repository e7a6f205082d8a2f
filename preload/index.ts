// The bridge into the sandboxed page: the host's calls, real paths of dropped files, and the engine's port
// handed on.
import { contextBridge, ipcRenderer, webUtils } from 'electron'
import { enginePort, eventChannel, type Bridge, type HostApi, type HostEvent } from './contract/host.ts'

// Spelled out: the schemas know the names too, but would bring their library into every page.
const calls: Readonly<Record<keyof HostApi, true>> = {
  start: true,
  change: true,
  remember: true,
  forget: true,
  choose: true,
  readText: true,
  save: true,
  readDrafts: true,
  keepDrafts: true,
  picture: true,
  openSource: true,
  changeEditor: true,
  reveal: true,
  copy: true,
  copyPicture: true,
  diagnostics: true,
  report: true,
  menu: true,
  perform: true,
  connectEngine: true,
  restartEngine: true,
}

const listeners = new Set<(event: HostEvent) => void>()
ipcRenderer.on(eventChannel, (_event, news: HostEvent) => {
  for (const take of listeners) take(news)
})

// A port cannot cross the bridge; a window message can carry it.
ipcRenderer.on(enginePort, event => window.postMessage(enginePort, window.location.origin, event.ports))

const asking = Object.fromEntries(
  Object.keys(calls).map(call => [call, (arg: unknown) => ipcRenderer.invoke(call, arg)]),
) as unknown as HostApi

contextBridge.exposeInMainWorld('host', {
  ...asking,
  pathsOf: files => files.map(file => webUtils.getPathForFile(file as File)),
  onEvent(take) {
    listeners.add(take)
    return () => listeners.delete(take)
  },
} satisfies Bridge)
