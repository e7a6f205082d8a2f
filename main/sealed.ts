// Closes Node's own ways to the network in this process or thread: whatever tries fails loudly.
import childProcess from 'node:child_process'
import dgram from 'node:dgram'
import dns from 'node:dns'
import module from 'node:module'
import net from 'node:net'

/** A function that `new` takes too. */
function refuse(): never {
  throw new Error('Plumbline does not use the network')
}

const seal = (of: object, names: readonly string[]): void => {
  for (const name of names)
    Object.defineProperty(of, name, { value: refuse, writable: false, configurable: false })
}

/** Every function that asks a name server, of the module or of its promises. */
const questions = (of: object): string[] =>
  Object.keys(of).filter(name => /^(?:lookup|resolve|reverse|Resolver)/.test(name))

/**
 * `programs` stay allowed where a person starts them: the editor from the window, a training script from the command
 * line. What reads dumps starts none.
 */
export function sealNode({ programs }: { readonly programs: boolean }): void {
  seal(net.Socket.prototype, ['connect'])
  seal(net.Server.prototype, ['listen'])
  seal(dgram.Socket.prototype, ['bind', 'connect', 'send', 'addMembership'])
  for (const of of [dns, dns.promises]) seal(of, questions(of))
  // The raw handles below net and dgram.
  seal(process, ['binding'])
  for (const name of ['fetch', 'WebSocket', 'EventSource']) if (name in globalThis) seal(globalThis, [name])
  if (!programs)
    seal(
      childProcess,
      Object.keys(childProcess).filter(name => name !== 'ChildProcess'),
    )
  module.syncBuiltinESMExports()
  // Without a listener of its own Node opens an inspector at this signal.
  if (process.platform !== 'win32') process.on('SIGUSR1', () => {})
}
