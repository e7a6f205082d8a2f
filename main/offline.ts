// The app's own pages over a scheme of its own, and a refusal for every other request, navigation, window,
// permission and download.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { app, protocol, type Session } from 'electron'
import type { Log } from './log.ts'

const scheme = 'plumb'
export const home = `${scheme}://app/`

/** CodeMirror and AG Grid add style elements; pictures are made in the page. */
const policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data: blob:; worker-src 'self' blob:; " +
  "connect-src 'self'; object-src 'none'; frame-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.map': 'application/json',
}

/** Before the app is ready: the scheme's rights, and no name of any host resolves. */
export function closeNetwork(devServer: string | undefined): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme,
      privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
    },
  ])
  app.commandLine.appendSwitch(
    'host-resolver-rules',
    devServer ? 'MAP * ~NOTFOUND , EXCLUDE localhost' : 'MAP * ~NOTFOUND',
  )
  for (const name of [
    'disable-background-networking',
    'disable-component-update',
    'disable-domain-reliability',
    'no-pings',
  ])
    app.commandLine.appendSwitch(name)
}

export const isOwn = (url: string, devServer: string | undefined): boolean => {
  if (url.startsWith(home) || url.startsWith('data:') || url.startsWith(`blob:${home.slice(0, -1)}`))
    return true
  if (!devServer) return false
  const at = new URL(devServer)
  return [at.origin, `ws://${at.host}`, `blob:${at.origin}`, 'devtools://devtools'].some(
    own => url === own || url.startsWith(`${own}/`),
  )
}

export function guardSession(session: Session, pages: string, devServer: string | undefined, log: Log): void {
  session.protocol.handle(scheme, request => servePage(pages, request.url))
  session.webRequest.onBeforeRequest((details, answer) => {
    const cancel = !isOwn(details.url, devServer)
    if (cancel) log.warn(`refused request ${details.method} ${details.url.slice(0, 200)}`)
    answer({ cancel })
  })
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
  session.on('will-download', (event, item) => {
    log.warn(`refused download ${item.getURL().slice(0, 200)}`)
    event.preventDefault()
  })
}

export function guardContents(devServer: string | undefined, log: Log): void {
  app.on('web-contents-created', (_event, contents) => {
    // The content policy does not cover WebRTC, and Electron ignores Chromium's switch for it.
    contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
    contents.setWindowOpenHandler(({ url }) => {
      log.warn(`refused window ${url.slice(0, 200)}`)
      return { action: 'deny' }
    })
    contents.on('will-frame-navigate', event => {
      if (event.url === contents.getURL()) return
      log.warn(`refused navigation ${event.url.slice(0, 200)}`)
      event.preventDefault()
    })
    contents.on('will-redirect', event => {
      if (!isOwn(event.url, devServer)) event.preventDefault()
    })
    contents.on('will-attach-webview', event => event.preventDefault())
  })
}

async function servePage(pages: string, url: string): Promise<Response> {
  const at = new URL(url)
  const file = path.join(pages, decodeURIComponent(at.pathname === '/' ? '/index.html' : at.pathname))
  const type = types[path.extname(file)]
  if (at.host !== 'app' || !file.startsWith(pages + path.sep) || !type)
    return new Response('', { status: 404 })
  try {
    const body = await readFile(file)
    return new Response(new Uint8Array(body), {
      headers: {
        'content-type': type,
        'content-security-policy': policy,
        'x-content-type-options': 'nosniff',
      },
    })
  } catch {
    return new Response('', { status: 404 })
  }
}
