// What a line of a training log says: which step, and which numbers. One row per kind of log, in the order in which
// they are tried; none of them backtracks over a line.
import { typedPattern } from '../../names/index.ts'

/** A step, and what was written of it; `step` is null where the line does not say which. */
export interface LogLine {
  readonly step: number | null
  readonly values: readonly (readonly [name: string, value: number])[]
}

/** Kinds that are known without a pattern. */
export const logKinds = ['megatron', 'mindformers', 'verl', 'huggingface'] as const
export type LogKind = (typeof logKinds)[number]

/** What reads a line; null where it says nothing of a step. */
export type LineReader = (line: string) => LogLine | null

/** A longer line is no line of a training's progress. */
export const longestLine = 1 << 16
/** A pattern that somebody has typed may take its time over every character. */
const longestTyped = 4096

const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/i
const special = /^([+-]?)(nan|inf(?:inity)?)\b/i

/** The number that a text begins with; null where it begins with none. */
export function leadingNumber(text: string): number | null {
  const bare = text.trimStart()
  const found = number.exec(bare)
  if (found) return Number(found[0])
  const [, sign, word] = special.exec(bare) ?? []
  if (word === undefined) return null
  if (/^nan/i.test(word)) return NaN
  return sign === '-' ? -Infinity : Infinity
}

/** The same quantity goes by several names; what a training is judged by has one here. */
const names: ReadonlyMap<string, string> = new Map(
  Object.entries({
    loss: ['lm loss', 'loss', 'train/loss', 'actor/loss', 'reduced_train_loss', 'lm-loss'],
    'grad norm': [
      'grad norm',
      'grad_norm',
      'global_norm',
      'actor/grad_norm',
      'train/grad_norm',
      'gradient norm',
    ],
    'learning rate': ['learning rate', 'lr', 'learning_rate', 'actor/lr', 'train/lr'],
  }).flatMap(([name, others]) => others.map(other => [other, name] as const)),
)
export const canonical = (name: string): string => names.get(name.trim().toLowerCase()) ?? name.trim()

function pairs(parts: readonly string[]): LogLine['values'] {
  return parts.flatMap(part => {
    const at = part.indexOf(':')
    const name = part.slice(0, at).trim()
    if (at < 1 || name.length > 120) return []
    const value = leadingNumber(part.slice(at + 1).replace(/^\s*[['"(]*/, ''))
    return value === null ? [] : [[canonical(name), value] as const]
  })
}

/** ` iteration  12/  100 | lm loss: 1.05E+01 | grad norm: 2.3 |`, as Megatron and MindSpeed write it. */
function megatron(line: string): LogLine | null {
  const found = /\biteration\s+(\d+)\s*\/\s*\d+\s*\|/.exec(line)
  if (!found) return null
  const values = pairs(line.slice(found.index + found[0].length).split('|'))
  return { step: Number(found[1]), values }
}

/** `{ Epoch:[  1/  2], step:[   10/ 100], loss: 10.1, lr: 1e-05, global_norm: [1.2] }`; steps go on over the epochs. */
function mindformers(line: string): LogLine | null {
  const found = /\bEpoch:\s*\[\s*(\d+)\s*\/\s*\d+\s*\],\s*step:\s*\[\s*(\d+)\s*\/\s*(\d+)\s*\]/i.exec(line)
  if (!found) return null
  const [epoch, step, perEpoch] = found.slice(1).map(Number)
  const values = pairs(line.slice(found.index + found[0].length).split(','))
  return { step: (epoch - 1) * perEpoch + step, values }
}

/** `step:3 - actor/pg_loss:0.01 - actor/grad_norm:0.5`. */
function verl(line: string): LogLine | null {
  const found = /\bstep:(\d+) - /.exec(line)
  if (!found) return null
  return { step: Number(found[1]), values: pairs(line.slice(found.index + found[0].length).split(' - ')) }
}

/** `{'loss': 2.3, 'grad_norm': 1.2}` by itself, or behind `step 12:`, as slime writes it. */
function dictionary(line: string): LogLine | null {
  const open = line.indexOf('{')
  const close = line.lastIndexOf('}')
  if (open < 0 || close < open || !/^\s*['"][\w./ -]{1,120}['"]\s*:/.test(line.slice(open + 1, open + 160)))
    return null
  const values = pairs(
    line
      .slice(open + 1, close)
      .split(',')
      .map(part => part.replace(/^\s*['"]/, '').replace(/['"]\s*:/, ':')),
  )
  const step = /\bstep\s*[:=]?\s*(\d+)\s*:?\s*$/i.exec(line.slice(Math.max(0, open - 60), open))
  const own = values.find(([name]) => name === 'step' || name === 'global_step')
  const isProgress = values.some(([name]) => name === 'loss' || name === 'grad norm')
  if (!isProgress && !step && !own) return null
  return { step: step ? Number(step[1]) : (own?.[1] ?? null), values }
}

const readers: Readonly<Record<LogKind, LineReader>> = {
  megatron,
  mindformers,
  verl,
  huggingface: dictionary,
}

export const readerOf = (kind: LogKind): LineReader => readers[kind]

/** Which kind a line is of; null where of none. */
export const kindOfLine = (line: string): LogKind | null =>
  logKinds.find(kind => {
    const found = line.length <= longestLine ? readers[kind](line) : null
    return found !== null && found.values.length > 0
  }) ?? null

/**
 * A pattern with named groups: `step`, and any others by the name that they are shown under. Null where it is none, or
 * names nothing but the step.
 */
export async function patternReader(pattern: string): Promise<LineReader | null> {
  if (!/\(\?<(?!step>)[A-Za-z_]/.test(pattern)) return null
  const compiled = await typedPattern(pattern)
  if (!compiled) return null
  return line => {
    const groups = line.length <= longestTyped ? compiled.groups(line) : null
    if (!groups) return null
    const { step, ...others } = groups
    const values = Object.entries(others).flatMap(([name, text]) => {
      const value = text === undefined ? null : leadingNumber(text)
      return value === null ? [] : [[canonical(name.replaceAll('_', ' ')), value] as const]
    })
    return values.length === 0 ? null : { step: step === undefined ? null : leadingNumber(step), values }
  }
}
