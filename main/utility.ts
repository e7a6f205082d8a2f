// Entry of the engine process: one engine, served to each line that main hands over.
import { lineOf, serve, type Server } from '../preload/contract/rpc.ts'
import type { EngineApi, EngineEvent, SessionId } from '../preload/contract/engine.ts'
import { openEngine } from './engine/doors/window/index.ts'
import { sealNode } from './sealed.ts'
import { sentences } from './sentences.ts'

sealNode({ programs: false })

const [cacheDir = ''] = process.argv.slice(2)
const servers = new Set<Server<EngineEvent>>()
const engine = openEngine({
  cacheDir,
  words: sentences,
  emit: event => {
    for (const server of servers) server.emit(event)
  },
})

const complain = (error: unknown, where: string): void =>
  console.error(`${where}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
process.on('unhandledRejection', error => complain(error, 'unhandled'))

process.parentPort.on('message', ({ data, ports: [port] }) => {
  if (data?.is === 'stop') {
    for (const server of servers) server.close()
    process.exit(0)
  }
  if (data?.is === 'beat') process.parentPort.postMessage({ is: 'heard' })
  if (data?.is !== 'line' || !port) return
  const line = lineOf(port)
  const opened = new Set<SessionId>()
  const api: EngineApi = {
    ...engine,
    async open(q, signal) {
      const result = await engine.open(q, signal)
      if (result.ok) opened.add(result.value.session)
      return result
    },
  }
  const server = serve<EngineEvent>(api, line, complain)
  servers.add(server)
  // A page that was reloaded or closed leaves its sessions behind.
  line.onClose(() => {
    servers.delete(server)
    for (const session of opened)
      engine
        .close({ session }, new AbortController().signal)
        .catch((error: unknown) => complain(error, 'close'))
  })
})
