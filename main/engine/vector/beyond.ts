// Graphs that stand between the left side and the right one: what the first graph names is no tensor of the right
// side itself, but an op of a second graph.
import type { FusedOps, Origin } from './groups.ts'

export interface Beyond {
  /** What the right side calls an output that the first graph names; null where the second has none. */
  origin(of: Origin): Origin | null
  /** What the right side calls the ops that the first graph names. */
  names(of: readonly string[]): readonly string[]
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)]

/** The first graph was made of a quantized model; this one says what of the script that model's ops stand for. */
export function throughQuantized(quantized: FusedOps): Beyond {
  return {
    origin(of) {
      const op = quantized.find(of.name)
      const further = op === undefined ? of : quantized.origin(op, of.index)
      return further && of.format !== '' ? { ...further, format: of.format, shape: of.shape } : further
    },
    names: of =>
      unique(
        of.flatMap(name => {
          const op = quantized.find(name)
          return op === undefined ? [name] : quantized.originals(op)
        }),
      ),
  }
}

/** The right side is a run of the same model without fusion: its ops are found by what of the script they stand for. */
export function intoUnfused(unfused: FusedOps): Beyond {
  return {
    origin(of) {
      const made = unfused.madeOf(of)
      return made && { ...of, name: unfused.name(made[0]), index: made[1] }
    },
    names: of => unique(of.flatMap(name => (name === '' ? [''] : unfused.standingFor(name)))),
  }
}
