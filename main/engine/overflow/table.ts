// The list of conspicuous calls of one rank as comma separated text.
import { type Cells, type Dump, type ItemRow, Kind } from '../model/index.ts'
import { pyFloat } from '../python/index.ts'
import { levels, sceneNames, type Scenes } from './scenes.ts'

export const tableHead = 'step,rank,order,call,level,scene,item,dtype,shape,max,min,mean,norm\n'

const abouts = ['item', 'dtype', 'shape', 'max', 'min', 'mean', 'norm'] as const

/** A call that shows something, and the item that decided. */
export interface ListedCall {
  readonly order: number
  readonly call: string
  readonly scene: number
  /** The number in the name of the call, or of a module around it; -1 where there is none. */
  readonly layer: number
  readonly about: Readonly<Record<(typeof abouts)[number], string>>
}

const noItem: ListedCall['about'] = { item: '', dtype: '', shape: '', max: '', min: '', mean: '', norm: '' }

export function callsOf(dump: Dump, { scene, trigger }: Scenes): readonly ListedCall[] {
  const { ops, items, texts } = dump
  const text = (code: number): string => (code < 0 ? '' : texts.get(code))
  const found: ListedCall[] = []
  for (let op = 0; op < ops.length; op++) {
    if (scene[op] === 0) continue
    const item = trigger[op]
    const cell = (cells: Cells<ItemRow>): string => cellText(dump, cells, item)
    const about =
      item < 0
        ? noItem
        : {
            item: text(items.name[item]),
            dtype: text(items.dtype[item]),
            shape: text(items.shape[item]),
            max: cell(items.max),
            min: cell(items.min),
            mean: cell(items.mean),
            norm: cell(items.norm),
          }
    found.push({ order: op, call: text(ops.name[op]), scene: scene[op], layer: layerOf(dump, op), about })
  }
  return found
}

/** Parents above a call, at most. */
const deepest = 100

function layerOf({ ops, construct, names, texts }: Dump, op: number): number {
  for (let code = ops.name[op], hops = 0; hops < deepest; hops++) {
    const { ofModule, owner } = names.parse(texts.get(code))
    const [, layer] = (ofModule && /\.(\d+)(?=\.)/.exec(owner)) || []
    if (layer !== undefined) return Number(layer)
    const at = construct.find(code)
    if (at < 0 || construct.parent[at] < 0) break
    code = construct.parent[at]
  }
  return -1
}

/** One line per call that shows anything. */
export function tableOf(calls: readonly ListedCall[], step: number | null, rank: number): Uint8Array {
  const lines = calls.map(({ order, call, scene, about }) =>
    [step ?? '', rank, order, call, levels[scene], sceneNames[scene], ...abouts.map(of => about[of])]
      .map(quoted)
      .join(','),
  )
  return new TextEncoder().encode(lines.map(line => `${line}\n`).join(''))
}

function cellText({ texts }: Dump, { kind, value }: Cells<ItemRow>, item: ItemRow): string {
  if (kind[item] === Kind.float) return pyFloat(value[item])
  if (kind[item] === Kind.int || kind[item] === Kind.bool) return String(value[item])
  return kind[item] === Kind.text || kind[item] === Kind.bigint ? texts.get(value[item]) : ''
}

/** What a spreadsheet would run as a formula stays a text. */
const formula = /^[=+@\t\r]|^-(?!inf$|\d)/

function quoted(value: string | number): string {
  const text = String(value)
  const safe = formula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
