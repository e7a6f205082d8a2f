// One opened study: its units, what is known of each, and the work that fills it in.
export { Memory } from './memory.ts'
export { Session, type SessionPorts } from './session.ts'
