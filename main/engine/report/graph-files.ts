// The two kinds of graph files as the graph command asks for them.
import type { GraphWriters } from '../graph/command.ts'
import type { Files } from '../io/files.ts'
import { visDbWriter } from './vis-db.ts'
import { writeSingleVis, writeVis } from './vis.ts'

export function graphWriters(files: Files): GraphWriters {
  return {
    async vis({ pair, single, peers }, request, sink, job) {
      const options = { fullStacks: request.fullStacks, overflow: request.overflow, peers }
      if (pair) await writeVis(pair, options, files, sink, job)
      else if (single) await writeSingleVis({ rules: request.rules, ...single }, options, files, sink, job)
    },
    database: (request, batch, sink) => visDbWriter(files, request, batch, sink),
  }
}
