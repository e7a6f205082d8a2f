// The list of conspicuous calls of one rank as comma separated text.
import { type Cells, type Dump, type ItemRow, Kind } from '../model/index.ts'
import { pyFloat } from '../python/index.ts'
import { levels, sceneNames, type Scenes } from './scenes.ts'

export const tableHead = 'step,rank,order,call,level,scene,item,dtype,shape,max,min,mean,norm\n'

/** One line per call that shows anything. */
export function tableOf(
  dump: Dump,
  { scene, trigger }: Scenes,
  step: number | null,
  rank: number,
): Uint8Array {
  const { ops, items, texts } = dump
  const text = (code: number): string => (code < 0 ? '' : texts.get(code))
  let out = ''
  for (let op = 0; op < ops.length; op++) {
    if (scene[op] === 0) continue
    const item = trigger[op]
    const about =
      item < 0
        ? ['', '', '', '', '', '', '']
        : [
            text(items.name[item]),
            text(items.dtype[item]),
            text(items.shape[item]),
            ...[items.max, items.min, items.mean, items.norm].map(cells => cellText(dump, cells, item)),
          ]
    const fields = [
      step ?? '',
      rank,
      op,
      text(ops.name[op]),
      levels[scene[op]],
      sceneNames[scene[op]],
      ...about,
    ]
    out += `${fields.map(quoted).join(',')}\n`
  }
  return new TextEncoder().encode(out)
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
