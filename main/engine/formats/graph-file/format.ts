// Graph files of the plugin: .vis with one graph, .vis.db with one per step and rank.
import { type FormatOf, type OpenPorts, type Place, placeAt } from '../format.ts'
import { growing } from '../growing.ts'
import type { Closable } from '../shared.ts'
import type { Job } from '../../work/index.ts'
import { type Problem, problem, Refusal } from '../../model/index.ts'
import type { GraphFile } from './graph-file.ts'

interface Opened extends Closable {
  /** What a unit says of itself; a .vis knows neither step nor rank. */
  readonly units: readonly { readonly place: Place; readonly graph: GraphFile }[]
  readonly problems: readonly Problem[]
}

export const graphFile: FormatOf<'graph'> = {
  id: 'graph-file',
  holds: 'graph',
  find: at => (at.kind !== 'folder' && /\.(?:vis|db)$/i.test(at.name) ? placeAt(at.path) : null),
  async parts(place, ports, job) {
    const { units, problems } = await hierarchies(place, ports, job)
    return {
      parts: units.map(unit => ({ place: unit.place, pair: unit.graph.bench !== null, mode: '' })),
      problems,
    }
  },
  open: (place, ports, job) =>
    growing(async () => {
      const { units } = await hierarchies(place, ports, job)
      const found = units.find(unit => unit.place.step === place.step && unit.place.rank === place.rank)
      if (!found) throw new Refusal(problem('vis-db-invalid', place.path, { reason: 'no nodes' }))
      return found.graph
    }),
}

/**
 * Hierarchies are read once and stay; items are read from the open file when they are asked for. The readers are
 * loaded with the first such file: most runs of the command line open none.
 */
function hierarchies(place: Place, { files, shared }: OpenPorts, job: Job): Promise<Opened> {
  const { path } = place
  return shared.once(path, async () => {
    if (/\.vis$/i.test(path)) {
      const { readVis } = await import('./vis.ts')
      const graph = await readVis(files, path, job)
      return { units: [{ place: placeAt(path), graph }], problems: graph.problems, close: graph.close }
    }
    const { readVisDb } = await import('./vis-db.ts')
    const { units, close } = await readVisDb(files, path, job)
    return {
      units: units.map(graph => ({ place: placeAt(path, graph.step, graph.rank), graph })),
      problems: [],
      close,
    }
  })
}
