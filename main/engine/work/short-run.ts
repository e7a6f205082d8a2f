// What a process that soon ends sets: less optimising of code that will not run long enough to pay for it.
import { setFlagsFromString } from 'node:v8'

/**
 * About four times V8's own figure: calls and loop rounds, in bytes of code, before a function is compiled
 * once more.
 */
const budget = 500_000

/**
 * Holds for all threads of the process; half of the processor time of a tensor comparison of seconds would go
 * into compiling otherwise.
 */
export function compileLess(): void {
  // Newer engines have a quick compiler in between, and count calls instead.
  if (Number.parseInt(process.versions.v8, 10) >= 12) return
  setFlagsFromString(`--interrupt-budget=${budget}`)
}
