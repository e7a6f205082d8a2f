// The rule that makes two calls meet: what the mapping in force lacks, tried before it is offered.
import type { MappingChange, MappingKind, MappingRule, MappingTexts } from '../model/index.ts'
import { apiOf, find } from '../pair/index.ts'
import { callsOf } from './calls.ts'
import type { MappingDesk } from './desk.ts'
import { keyOf, parseMapping } from './document.ts'
import { editMapping } from './edit.ts'
import { cellOf, type SideNames } from './names-of.ts'
import { isPart } from './parts.ts'

const kinds: readonly MappingKind[] = ['layer', 'cell', 'api']

/**
 * What has to be added to the mapping in force for two ops to meet, level by level where that does it, so that
 * one click serves every layer of a class. Of a part and the whole the modules around them come first.
 */
export function ruleFor(
  desk: MappingDesk,
  inForce: MappingTexts,
  op: number,
  other: number,
): Omit<MappingRule, 'paired'> {
  const part = isPart(desk.debug, op, desk.bench, other)
  const [above, there] = [callsOf(desk.debug.dump).parents[op], callsOf(desk.bench.dump).parents[other]]
  if (part && above >= 0 && there >= 0 && !meet(desk, inForce, above, there)) {
    const around = changesFor(desk, inForce, above, there)
    if (around.length > 0) return { changes: around, part: false }
  }
  return { changes: changesFor(desk, inForce, op, other), part }
}

function changesFor(
  desk: MappingDesk,
  inForce: MappingTexts,
  op: number,
  other: number,
): readonly MappingChange[] {
  const asked = kinds.toSorted((a, b) => Number(inForce[b] !== undefined) - Number(inForce[a] !== undefined))
  for (const kind of asked) {
    const text = inForce[kind] ?? ''
    const change = changeOf(desk, kind, text, op, other)
    if (!change) continue
    for (const changes of [levels(desk, text, change, op), [change]]) {
      const next = { ...inForce, [kind]: editMapping(kind, text, changes, []) }
      if (changes.length > 0 && meet(desk, next, op, other)) return changes
    }
  }
  return []
}

/** A rule over several levels as one of each class on the way; none where the text says otherwise of a class. */
function levels(
  desk: MappingDesk,
  text: string,
  change: MappingChange,
  op: number,
): readonly MappingChange[] {
  if (change.kind !== 'layer') return []
  const [from, to] = [change.from.split('.'), change.to.split('.')]
  if (from.length !== to.length) return []
  const path = desk.debug.layerOf(op).split('.')
  const top = path.length - from.length
  const changes = from.flatMap((name, i): MappingChange[] => {
    const scope = top + i === 0 ? 'Cell' : (find(desk.debug.tree, path.slice(0, top + i))?.type ?? '')
    return name === to[i] ? [] : [{ kind: 'layer', scope, from: name, to: to[i] }]
  })
  const known = new Map(parseMapping('layer', text).entries.map(one => [keyOf(one.change), one.change.to]))
  return changes.every(one => (known.get(keyOf(one)) ?? one.to) === one.to) ? changes : []
}

function changeOf(
  desk: MappingDesk,
  kind: MappingKind,
  text: string,
  op: number,
  other: number,
): MappingChange | null {
  const [from, to] = [nameOf(desk.debug, kind, op), nameOf(desk.bench, kind, other)]
  return from === '' || to === '' ? null : desk.meeting(kind, text, from, to).change
}

/** What a mapping of a kind calls an op; '' where it does not speak of such. */
function nameOf(side: SideNames, kind: MappingKind, op: number): string {
  const ofModule = callsOf(side.dump).module[op] > 0
  if (kind === 'layer') return side.layerOf(op)
  if (kind === 'cell') return ofModule ? (cellOf(side.opName(op)) ?? '') : ''
  return ofModule ? '' : apiOf(side.opName(op))
}

function meet(desk: MappingDesk, mapping: MappingTexts, op: number, other: number): boolean {
  const { debugItem, benchItem } = desk.pairingOf(mapping)
  const [mine, theirs] = [desk.debug.dump.items.op, desk.bench.dump.items.op]
  for (let row = 0; row < debugItem.length; row++)
    if (debugItem[row] >= 0 && benchItem[row] >= 0)
      if (mine[debugItem[row]] === op && theirs[benchItem[row]] === other) return true
  return false
}
