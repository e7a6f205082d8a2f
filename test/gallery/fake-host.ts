// A bridge that remembers nothing and opens no dialogs, for the gallery.
import type { Bridge, HostEvent, Settings, Start } from '../../preload/contract/host.ts'
import { settingsSchema } from '../../preload/contract/host-schemas.ts'

export function fakeHost(given: Partial<Settings>, start: Partial<Start>): Bridge {
  let settings = settingsSchema.parse(given)
  const listeners = new Set<(event: HostEvent) => void>()
  const dark = (): boolean => settings.theme === 'dark'
  return {
    async start() {
      return {
        settings,
        systemLanguage: 'en',
        dark: dark(),
        paths: [],
        sample: ['/opt/plumbline/resources/sample/debug', '/opt/plumbline/resources/sample/bench'],
        platform: 'linux',
        versions: {},
        ...start,
      }
    },
    async change(q) {
      settings = { ...settings, ...q } as Settings
      return settings
    },
    async remember() {
      return settings
    },
    async forget(q) {
      settings = { ...settings, recent: settings.recent.filter(r => r.paths.join() !== q.paths.join()) }
      return settings
    },
    async choose(q) {
      return [q.what === 'folder' ? '/data/me' : q.side === 'bench' ? '/data/gpu_dump' : '/data/npu_dump']
    },
    async readText() {
      return null
    },
    async readDrafts() {
      return {}
    },
    async keepDrafts() {
      return { ok: true, value: null }
    },
    async save(q) {
      return { ok: true, value: { path: `/data/me/${q.name}` } }
    },
    async picture() {
      return new Uint8Array()
    },
    async openSource({ file }) {
      return { is: 'not-here', path: file }
    },
    async changeEditor({ command }) {
      settings = { ...settings, editor: [...command] }
      return settings
    },
    async reveal() {},
    async copy() {},
    async copyPicture() {},
    async diagnostics() {
      return ''
    },
    async report() {},
    async menu() {},
    async perform() {},
    async connectEngine() {},
    async restartEngine() {},
    pathsOf: files => files.map(() => '/data/npu_dump'),
    onEvent(take) {
      listeners.add(take)
      return () => listeners.delete(take)
    },
  }
}
