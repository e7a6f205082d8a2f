// The databases of msprobe 26.2, node by node: structure, matches, grades, stacks and item texts; both sides
// are read by our own reader.
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { FileSide } from '../../main/engine/formats/graph-file/graph-file.ts'
import { readVisDb } from '../../main/engine/formats/graph-file/vis-db.ts'
import { diskFiles } from '../../main/engine/io/files.ts'
import { job } from '../../main/engine/work/job.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { goldenFiles, graphCases, runGraph } from '../support/golden-graph.ts'

type Items = Readonly<Record<string, Readonly<Record<string, string>>>>

const files = diskFiles()
const lines: string[] = []
const decoder = new TextDecoder()

const text = (side: FileSide, code: number): string => (code < 0 ? '' : side.texts.get(code))
const ids = (side: FileSide): string[] => Array.from(side.name, code => side.texts.get(code))

/** What a row says besides its items. */
const rowOf = (side: FileSide, row: number): unknown => ({
  id: text(side, side.name[row]!),
  kind: side.kind[row],
  parent: side.parent[row]! < 0 ? '' : text(side, side.name[side.parent[row]!]!),
  partner: text(side, side.partner[row]!),
  index: side.index[row],
  overflow: side.overflow[row],
  micro: side.micro[row],
  stack: side.stack[row]! < 0 ? [] : side.stacks.frames(side.stack[row]!),
})

/** The last digits of a norm depend on the order of summation. */
const near = (key: string, a: string, b: string): boolean =>
  key === 'EucDist' && Math.abs(Number(a) - Number(b)) <= 1e-12 * Math.abs(Number(b))

test.each(graphCases(fixturesRoot(), /^(?:new|v26)_graph_/).map(one => [one.name, one] as const))(
  '%s',
  async (name, one) => {
    const { written } = await runGraph(one, 'msprobe-26')
    for (const [file, theirs] of goldenFiles(one, 'golden')) {
      const mine = written.get(file)!
      files.allow(path.dirname(mine))
      files.allow(path.dirname(theirs))
      const have = await readVisDb(files, mine, job())
      const want = await readVisDb(files, theirs, job())
      expect(
        have.units.map(unit => [unit.step, unit.rank, unit.task, unit.microSteps, unit.overflowChecked]),
      ).toEqual(
        want.units.map(unit => [unit.step, unit.rank, unit.task, unit.microSteps, unit.overflowChecked]),
      )
      expect(have.units[0]!.colors).toEqual(want.units[0]!.colors)
      let nodes = 0
      let cells = 0
      let close = 0
      const different: string[] = []
      for (const [i, unit] of want.units.entries()) {
        for (const side of ['debug', 'bench'] as const) {
          const [a, b] = [have.units[i]![side], unit[side]]
          if (!a || !b) {
            expect(a).toBe(b)
            continue
          }
          expect(ids(a)).toEqual(ids(b))
          for (let row = 0; row < b.length; row++) {
            nodes++
            expect(rowOf(a, row)).toEqual(rowOf(b, row))
            for (const part of [0, 1] as const) {
              const [x, y] = [a, b].map(from => JSON.parse(decoder.decode(from.items(row)[part])) as Items)
              expect(Object.keys(x!)).toEqual(Object.keys(y!))
              for (const [item, fields] of Object.entries(y!)) {
                expect(Object.keys(x![item]!)).toEqual(Object.keys(fields))
                for (const [key, value] of Object.entries(fields)) {
                  cells++
                  if (x![item]![key] === value) continue
                  if (near(key, x![item]![key]!, value)) close++
                  else different.push(`${item} ${key}: ${x![item]![key]}, golden ${value}`)
                }
              }
            }
          }
        }
      }
      expect(different.slice(0, 10)).toEqual([])
      lines.push(
        `${name.padEnd(32)} ${String(nodes).padStart(4)} nodes, different: structure 0 match 0 index 0, ${String(cells).padStart(6)} texts ${different.length} different, ${close} in the last digit`,
      )
      have.close()
      want.close()
    }
  },
)

afterAll(() => {
  console.log(lines.join('\n'))
})
