// Closes Node's own ways to the network in this process: whatever tries fails loudly.
import dgram from 'node:dgram'
import dns from 'node:dns'
import net from 'node:net'

const refuse = (): never => {
  throw new Error('Plumbline does not use the network')
}

const seal = (of: object, names: readonly string[]): void => {
  for (const name of names)
    Object.defineProperty(of, name, { value: refuse, writable: false, configurable: false })
}

export function sealNode(): void {
  seal(net.Socket.prototype, ['connect'])
  seal(net.Server.prototype, ['listen'])
  seal(dgram.Socket.prototype, ['bind', 'connect', 'send'])
  seal(dns, ['lookup', 'resolve', 'resolve4', 'resolve6'])
  for (const name of ['fetch', 'WebSocket', 'EventSource']) if (name in globalThis) seal(globalThis, [name])
}
