// Edits of a mapping text that leave comments, order and the form of everything else as they are.
import { isMap, isScalar, isSeq, Scalar, YAMLMap, YAMLSeq, type Document, type Node, type Pair } from 'yaml'
import type { MappingChange, MappingKind } from '../model/index.ts'
import { textAt, textOfNode } from './document.ts'
import { editPlain, ofMapping, type PlainChange, written } from '../pair/index.ts'

/**
 * The text with entries set and taken out. Comments, order and the form of everything else stay as they are.
 */
export function editMapping(
  kind: MappingKind,
  given: string,
  set: readonly MappingChange[],
  remove: readonly MappingChange[],
): string {
  const text = given.replace(emptyForm, '')
  const top = kind === 'layer' && /^TopLayer *:/m.test(text) && !/^Cell *:/m.test(text)
  return top ? edited(kind, text, set.map(underTop), remove.map(underTop)) : edited(kind, text, set, remove)
}

/** The top goes by two names; a text keeps the one that it has. */
const underTop = (change: MappingChange): MappingChange =>
  change.kind === 'layer' && change.scope === 'Cell' ? { ...change, scope: 'TopLayer' } : change

function edited(
  kind: MappingKind,
  text: string,
  set: readonly MappingChange[],
  remove: readonly MappingChange[],
): string {
  const plain =
    kind === 'api' ? null : editPlain(text, kind === 'layer', set.map(plainChange), remove.map(plainChange))
  if (plain !== null) return plain
  return ofMapping(text, kind, document => {
    for (const change of remove) takeOut(document, change)
    for (const change of set) putIn(document, change)
    const { contents } = document
    if (contents === null || ((isMap(contents) || isSeq(contents)) && contents.items.length === 0))
      return comments(text)
    return document.toString({ lineWidth: 0, flowCollectionPadding: false })
  })
}

/** A text as a file holds it: one without entries is an empty list or map, which the reference reads. */
export function savedText(kind: MappingKind, text: string): string {
  if (/^(?:\s*#[^\n]*|\s)*$/.test(text))
    return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${kind === 'api' ? '[]' : '{}'}\n`
  return text
}

const emptyForm = /^(?:\{\}|\[\])[ \t]*(?:\r?\n|$)/m

const plainChange = (change: MappingChange): PlainChange => ({
  group: change.kind === 'layer' ? change.scope : '',
  key: change.from,
  value: change.to,
})

const comments = (text: string): string =>
  text
    .split('\n')
    .filter(line => line.trimStart().startsWith('#'))
    .map(line => `${line}\n`)
    .join('')

function putIn(document: Document, change: MappingChange): void {
  if (change.kind === 'api') {
    putApi(document, change)
    return
  }
  const map = change.kind === 'layer' ? childMap(document, change.scope) : topMap(document)
  const key = keyNode(map, change.from)
  if (key && isScalar(key.value)) key.value.value = change.to
  else if (key) key.value = scalar(change.to)
  else map.items.push(document.createPair(scalar(change.from), scalar(change.to)) as Pair<Node, Node>)
}

function takeOut(document: Document, change: MappingChange): void {
  if (change.kind === 'api') {
    if (isSeq(document.contents))
      document.contents.items = document.contents.items.filter(
        item => !(isMap(item) && textAt(item, 'ms_api') === change.from),
      )
    else if (isMap(document.contents) && textAt(document.contents, 'ms_api') === change.from)
      document.contents = null
    return
  }
  if (!isMap(document.contents)) return
  const map = change.kind === 'layer' ? keyNode(document.contents, change.scope)?.value : document.contents
  if (!isMap(map)) return
  dropKey(document, map, change.from)
  if (change.kind === 'layer' && map.items.length === 0) dropKey(document, document.contents, change.scope)
}

/** Takes entries out; a comment that stood above one stays. */
function dropKey(document: Document, map: YAMLMap, key: string): void {
  for (let i = map.items.length - 1; i >= 0; i--) {
    const node = map.items[i]?.key
    if (textOfNode(node) !== key) continue
    const comment = isScalar(node) ? node.commentBefore : undefined
    map.items.splice(i, 1)
    if (!comment) continue
    const next = map.items[i]?.key
    if (isScalar(next))
      next.commentBefore = next.commentBefore ? `${comment}\n${next.commentBefore}` : comment
    else document.comment = document.comment ? `${comment}\n${document.comment}` : comment
  }
}

function putApi(document: Document, change: MappingChange & { kind: 'api' }): void {
  if (!isSeq(document.contents)) {
    const alone = document.contents
    const list = new YAMLSeq<Node>()
    if (isMap(alone)) list.items.push(alone as Node)
    document.contents = list as Document['contents']
  }
  if (!isSeq(document.contents)) return
  const known = document.contents.items.find(item => isMap(item) && textAt(item, 'ms_api') === change.from)
  const entry = isMap(known) ? known : new YAMLMap<Node, Node>()
  if (!known) document.contents.items.push(entry)
  const put = (key: string, value: unknown): void => {
    entry.set(key, document.createNode(value, { flow: Array.isArray(value) }))
  }
  put('ms_api', change.from)
  put('pt_api', change.to)
  for (const [name, list] of [
    ['args', change.args],
    ['output', change.outputs],
  ] as const) {
    for (const spelled of [`ms_${name}s`, `pt_${name}s`]) if (name === 'output') entry.delete(spelled)
    put(
      `ms_${name}`,
      list.map(([mine]) => indexValue(mine)),
    )
    put(
      `pt_${name}`,
      list.map(([, theirs]) => indexValue(theirs)),
    )
  }
}

/** Plain whole numbers stay numbers, as people write them. */
const indexValue = (index: string): string | number =>
  /^(?:0|[1-9]\d{0,8})$/.test(index) ? Number(index) : index

function topMap(document: Document): YAMLMap<Node, Node> {
  if (!isMap(document.contents)) document.contents = new YAMLMap<Node, Node>() as Document['contents']
  return document.contents as unknown as YAMLMap<Node, Node>
}

function childMap(document: Document, scope: string): YAMLMap<Node, Node> {
  const top = topMap(document)
  const known = keyNode(top, scope)
  if (known && isMap(known.value)) return known.value as unknown as YAMLMap<Node, Node>
  const made = new YAMLMap<Node, Node>()
  if (known) known.value = made
  else top.items.push(document.createPair(scalar(scope), made) as Pair<Node, Node>)
  return made
}

/** Text that reads as text: digits and the like get quotes. */
function scalar(text: string): Scalar {
  const made = new Scalar(text)
  if (written(text) !== text) made.type = 'QUOTE_SINGLE'
  return made
}

const keyNode = (map: YAMLMap, key: string): Pair | undefined =>
  map.items.findLast(pair => textOfNode(pair.key) === key)
