// A bundle as a dump: every tensor an op with one output, the parts of its name the modules around it.
import { type Dump, quietAbout } from '../../model/index.ts'
import { dottedNames, scopesOf } from '../../names/index.ts'
import { OpColumns } from '../tensorflow/op-columns.ts'
import type { Bundle } from './bundle.ts'
import { pairNames } from './renames.ts'

export function bundleDump({ path, tensors, problems }: Bundle): Dump {
  const columns = new OpColumns(path, dottedNames)
  const seen = new Set<string>()
  for (const { name, dtype, shape, ref } of tensors) {
    // Shards may repeat a tensor that both hold: the first one stands.
    if (seen.has(name)) continue
    seen.add(name)
    columns.add({ name, scopes: scopesOf(name), from: 0, to: 0 }, [
      { io: 'output', index: 0, dtype, shape: dtype === '' ? null : shape, ref, dataName: ref ? name : '' },
    ])
  }
  return columns.finish(
    { task: 'tensor', level: '', framework: 'pytorch', hasMd5: false, stored: true },
    { dir: path, file: path, raw: null, partial: false, problems, about: quietAbout, hasEdges: false },
  )
}

/** Bench item per debug item, by the names of their ops; -1 for none. */
export function meetByNames(debug: Dump, bench: Dump): Int32Array {
  const namesOf = ({ ops, texts }: Dump): readonly string[] =>
    Array.from({ length: ops.length }, (_, op) => texts.get(ops.name[op]))
  const { pairs } = pairNames(namesOf(debug), namesOf(bench))
  const met = new Int32Array(debug.items.length).fill(-1)
  for (const { left, right } of pairs) meetItems(debug, bench, left, right, met)
  return met
}

/** Items of two ops by what follows the name of their op. */
function meetItems(debug: Dump, bench: Dump, left: number, right: number, met: Int32Array): void {
  const tail = ({ items, ops, texts }: Dump, op: number, item: number): string =>
    texts.get(items.name[item]).slice(texts.get(ops.name[op]).length)
  const rows = new Map<string, number>()
  for (let item = bench.ops.first[right]; item < bench.ops.first[right + 1]; item++)
    rows.set(tail(bench, right, item), item)
  for (let item = debug.ops.first[left]; item < debug.ops.first[left + 1]; item++)
    met[item] = rows.get(tail(debug, left, item)) ?? -1
}
