// Nothing leaves the machine: page, main process and engine are refused, and the system sees no connection of
// theirs.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, usualPair, test } from '../support/app.ts'
import { names } from '../support/names.ts'

test('requests, windows, navigation, permissions and downloads are refused', async ({ start }) => {
  let reached = 0
  const server = createServer((_request, response) => {
    reached++
    response.end('reached')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

  const app = await start()
  const here = app.page.url()
  const tried = await app.page.evaluate(async url => {
    const failed = (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => 'reached',
        () => 'refused',
      )
    const loaded = (thing: EventTarget, event: string): Promise<unknown> =>
      new Promise((resolve, reject) => {
        thing.addEventListener(event, resolve)
        thing.addEventListener('error', () => reject(new Error('refused')))
      })
    const image = (): Promise<unknown> => {
      const made = new Image()
      const done = loaded(made, 'load')
      made.src = url
      return done
    }
    const socket = async (): Promise<unknown> => loaded(new WebSocket(url.replace('http', 'ws')), 'open')
    window.open(url)
    location.href = url
    return {
      fetch: await failed(fetch(url)),
      image: await failed(image()),
      socket: await failed(socket()),
      beacon: navigator.sendBeacon(url) ? 'queued' : 'refused',
      camera: await failed(navigator.mediaDevices.getUserMedia({ video: true })),
      clipboard: await failed(navigator.clipboard.readText()),
    }
  }, target)
  expect(tried).toMatchObject({
    fetch: 'refused',
    image: 'refused',
    socket: 'refused',
    camera: 'refused',
    clipboard: 'refused',
  })
  const inMain = await app.electron.evaluate(async ({ net }, url) => {
    const failed = (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => 'reached',
        () => 'refused',
      )
    const nodeFetch = async (): Promise<unknown> => globalThis.fetch(url)
    return {
      electron: await failed(net.fetch(url)),
      node: await failed(nodeFetch()),
      named: await failed(net.resolveHost('localhost.example')),
    }
  }, target)
  expect(inMain).toEqual({ electron: 'refused', node: 'refused', named: 'refused' })
  expect(app.page.url()).toBe(here)
  expect(await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
  expect(reached).toBe(0)
  server.close()
})

test('a page that opens a WebRTC connection sends not one packet', async ({ start }) => {
  const app = await start()
  let packets = 0
  const listener = createSocket('udp4').on('message', () => packets++)
  await new Promise<void>(resolve => listener.bind(0, '127.0.0.1', resolve))
  const ways = await app.page.evaluate(
    async port => {
      const peer = new RTCPeerConnection()
      peer.createDataChannel('x')
      await peer.setLocalDescription(await peer.createOffer())
      const sdp = [
        'v=0',
        'o=- 1 2 IN IP4 127.0.0.1',
        's=-',
        't=0 0',
        'a=group:BUNDLE 0',
        'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
        'c=IN IP4 0.0.0.0',
        'a=ice-ufrag:sent',
        'a=ice-pwd:abcdefghijklmnopqrstuvwx',
        `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => 'AB').join(':')}`,
        'a=setup:active',
        'a=mid:0',
        'a=sctp-port:5000',
        '',
      ].join('\r\n')
      await peer.setRemoteDescription({ type: 'answer', sdp })
      await peer.addIceCandidate({
        candidate: `candidate:1 1 udp 2122260223 127.0.0.1 ${port} typ host`,
        sdpMid: '0',
      })
      while (peer.iceGatheringState !== 'complete')
        await new Promise(resolve =>
          peer.addEventListener('icegatheringstatechange', resolve, { once: true }),
        )
      return (
        peer.localDescription?.sdp.split('\r\n').filter(line => line.startsWith('a=candidate')) ?? ['none']
      )
    },
    (listener.address() as AddressInfo).port,
  )
  listener.close()
  expect(ways.filter(line => / udp /i.test(line))).toEqual([])
  expect(packets).toBe(0)
})

test('the page has no Node, and main answers nobody but the page', async ({ start }) => {
  const app = await start()
  expect(
    await app.page.evaluate(() => [
      typeof (globalThis as { require?: unknown }).require,
      typeof (globalThis as { process?: unknown }).process,
    ]),
  ).toEqual(['undefined', 'undefined'])
  const answers = await app.page.evaluate(async () => {
    const host = (window as unknown as { host: Record<string, (q: unknown) => Promise<unknown>> }).host
    const failed = (work: Promise<unknown> | undefined): Promise<string> =>
      (work ?? Promise.reject(new Error('no call'))).then(
        () => 'answered',
        () => 'refused',
      )
    return [
      await failed(host['change']?.({ theme: 'pink' })),
      await failed(host['reveal']?.({ path: 7 })),
      await failed(host['save']?.({ name: '' })),
    ]
  })
  expect(answers).toEqual(['refused', 'refused', 'refused'])
})

// /proc tells which sockets a process holds; other systems have no such table.
if (process.platform === 'linux')
  test('while a pair is opened and looked at, no process of the app talks to anything outside', async ({
    start,
  }) => {
    const app = await start({ paths: usualPair })
    await app.menu('first-failing')
    await expect(app.id(names.inspector)).toHaveAttribute('data-node', /./)
    // Playwright's own debugging lines stay on this machine: those are the only ones allowed.
    const remote = connections(app.pids()).filter(address => !/^(?:127\.|::1|0\.0\.0\.0|::$)/.test(address))
    expect(remote).toEqual([])
    expect(app.log()).not.toContain('refused')
  })

/** Remote addresses of all TCP and UDP sockets of these processes. */
function connections(pids: readonly number[]): string[] {
  const inodes = new Set<string>()
  for (const pid of pids) {
    try {
      for (const fd of readdirSync(`/proc/${pid}/fd`)) {
        try {
          const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1]
          if (inode) inodes.add(inode)
        } catch {
          /* closed since it was listed */
        }
      }
    } catch {
      /* ended since it was listed */
    }
  }
  return ['tcp', 'tcp6', 'udp', 'udp6'].flatMap(table =>
    readFileSync(`/proc/net/${table}`, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map(row => row.trim().split(/\s+/))
      .filter(cells => inodes.has(cells[9] ?? ''))
      .map(cells => address(cells[2] ?? '')),
  )
}

/** The kernel prints addresses as hex words in the machine's byte order. */
function address(text: string): string {
  const [hex = ''] = text.split(':')
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap(word =>
    (word.match(/../g) ?? []).reverse().map(pair => Number.parseInt(pair, 16)),
  )
  if (bytes.length === 4) return bytes.join('.')
  if (bytes.every(byte => byte === 0)) return '::'
  if (bytes.slice(0, 15).every(byte => byte === 0) && bytes[15] === 1) return '::1'
  if (bytes.slice(0, 10).every(byte => byte === 0) && bytes[10] === 255) return bytes.slice(12).join('.')
  return hex
}
