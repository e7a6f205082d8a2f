// Tries every way to the network that Node has, after the seal: in a process of its own, or in a worker thread as the
// app starts them. Tells for each way whether it was refused.
import { execFileSync } from 'node:child_process'
import dgram from 'node:dgram'
import dns, { promises } from 'node:dns'
import http from 'node:http'
import net from 'node:net'
import { isMainThread, parentPort } from 'node:worker_threads'
import { sealNode } from '../../main/sealed.ts'

if (isMainThread) sealNode({ programs: false })
else await import('../../main/worker.ts')

const here = '127.0.0.1'
const ways: Readonly<Record<string, () => unknown>> = {
  connect: () => net.connect(1, here),
  listen: () => net.createServer().listen(0, here),
  http: () => http.get(`http://${here}:1/`),
  udp: () => dgram.createSocket('udp4').send('x', 1, here),
  lookup: () => dns.lookup('localhost', () => {}),
  lookupService: () => dns.lookupService(here, 22, () => {}),
  reverse: () => dns.reverse(here, () => {}),
  resolver: () => new dns.Resolver().resolve4('localhost', () => {}),
  promisedLookup: () => promises.lookup('localhost'),
  promisedResolver: () => new promises.Resolver().resolve4('localhost'),
  fetch: () => fetch(`http://${here}:1/`),
  binding: () => (process as unknown as { binding(name: string): unknown }).binding('tcp_wrap'),
  program: () => execFileSync('true'),
}

const tried: Record<string, string> = {}
for (const [name, way] of Object.entries(ways))
  try {
    await way()
    tried[name] = 'open'
  } catch (error) {
    tried[name] = error instanceof Error ? error.message : String(error)
  }

if (parentPort) parentPort.postMessage(tried)
else {
  tried['inspector'] = process.listenerCount('SIGUSR1') > 0 ? 'listened to' : 'open'
  process.stdout.write(JSON.stringify(tried))
}
process.exit()
