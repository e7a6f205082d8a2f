// The numbers of one tensor pair: health, histogram, error map, a slice, the worst elements.
import { useState, type JSX } from 'react'
import type { ItemDetail, NodeDetail, TensorSideView, TensorView } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { count, percent, shortNumber } from '../../state/format.ts'
import { itemOf } from '../../state/names.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { select } from '../../state/selection.ts'
import { useSay } from '../../state/words.ts'
import { stamp, useWorkbench } from '../../state/workbench.ts'
import { Section } from '../../ui/bits.tsx'
import { MenuButton, Toggle } from '../../ui/controls.tsx'
import { Empty, Failed, ProblemCard, Skeleton } from '../../ui/states.tsx'
import { Closeness } from './closeness.tsx'
import { HeatMap } from './heat.tsx'
import { Histogram } from './histogram.tsx'

const rows = 16
const cols = 8

/** Items with values; all that have rows where none has values, so that one can say why. */
function choices(node: NodeDetail): readonly ItemDetail[] {
  const withRows = node.items.filter(i => i.row >= 0)
  const withValues = withRows.filter(i => i.debug?.file || i.bench?.file)
  return withValues.length > 0 ? withValues : withRows
}

/** The tensor asked for, else the worst. */
function pick(node: NodeDetail, row: number | null): ItemDetail | undefined {
  const of = choices(node)
  return of.find(i => i.row === row) ?? of.toSorted((a, b) => b.verdict - a.verdict)[0]
}

export function Values({ node, row }: { readonly node: NodeDetail; readonly row: number | null }): JSX.Element {
  const say = useSay()
  const item = pick(node, row)
  if (!item) return <Empty icon="ranks" title={say('values.none')}>{say('values.none.what')}</Empty>
  return <ValuesOf key={item.row} node={node} item={item} />
}

function ValuesOf({ node, item }: { readonly node: NodeDetail; readonly item: ItemDetail }): JSX.Element {
  const say = useSay()
  const session = useWorkbench(s => s.session?.session)
  const unit = useWorkbench(s => s.session?.unit ?? 0)
  const here = useWorkbench(s => stamp(s, 'dumps', 'metrics'))
  const [at, setAt] = useState<readonly number[]>([])
  const answer = useQuery({
    key: session === undefined ? null : ['tensor', here, item.row, ...at],
    load: signal => engine.tensor({ session: session as NonNullable<typeof session>, unit, row: item.row, at, rows, cols }, signal),
    keep: true,
  })
  const view = valueOf(answer)
  const name = (i: ItemDetail): string => itemOf((i.debug ?? i.bench)?.name ?? '', (i.debug ? node.at.debug : node.at.bench) ?? '')
  return (
    <>
      <div className="row values-head">
        <MenuButton label={say('values.which')} className="button select small" entries={choices(node).map(i => ({ id: String(i.row), text: name(i), on: i.row === item.row, run: () => select(node.at, 'inspector', i.row) }))}>
          <span className="value">{name(item)}</span>
        </MenuButton>
        <span className="small dim num cut">{[item.debug?.dtype ?? item.bench?.dtype, item.debug?.shape ?? item.bench?.shape].filter(Boolean).join('  ')}</span>
      </div>
      {answer.is === 'failed' && !view ? <Failed problem={answer.problem} /> : !view ? <Skeleton rows={9} height={18} /> : <View view={view} row={item.row} at={at} onAt={setAt} />}
    </>
  )
}

function View({ view, row, at, onAt }: { readonly view: TensorView; readonly row: number; readonly at: readonly number[]; onAt(at: readonly number[]): void }): JSX.Element {
  const say = useSay()
  const { debug, bench, histogram, heat, worst, problems } = view
  if (!debug && !bench) return <div className="column" style={{ padding: 12, gap: 8 }}>{problems.map(p => <ProblemCard key={p.code} problem={p} />)}{problems.length === 0 ? <Empty icon="ranks" title={say('values.no-data')}>{say('values.no-data.what')}</Empty> : null}</div>
  return (
    <>
      {problems.map(p => <div key={p.code} style={{ padding: '8px 12px 0' }}><ProblemCard problem={p} /></div>)}
      <Section title={say('values.health')}><Health debug={debug} bench={bench} /></Section>
      {histogram ? <Section title={say('values.histogram')} aside={<Key debug={debug !== null} bench={bench !== null} />}><Histogram {...histogram} /></Section> : null}
      {heat ? <Heat heat={heat} shape={(debug ?? bench)?.shape ?? []} /> : null}
      {worst.length > 0 ? (
        <Section title={say('values.worst')}>
          <table className="worst">
            <thead><tr><th scope="col">{say('values.index')}</th><th scope="col">{say('side.debug')}</th><th scope="col">{say('side.bench')}</th><th scope="col">{say('values.error')}</th></tr></thead>
            <tbody>
              {worst.map(w => (
                <tr key={w.index.join()}>
                  <td><button type="button" className="link num" onClick={() => onAt(w.index.map((n, i) => (i < w.index.length - 2 ? n : i === w.index.length - 2 ? Math.floor(n / rows) * rows : Math.floor(n / cols) * cols)))}>{`[${w.index.join(', ')}]`}</button></td>
                  <td className="num" title={String(w.debug)}>{shortNumber(w.debug)}</td><td className="num" title={String(w.bench)}>{shortNumber(w.bench)}</td><td className="num bad" title={String(w.error)}>{shortNumber(w.error)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Section>
      ) : null}
      {debug && bench ? <Closeness row={row} /> : null}
      <Slice view={view} at={at} onAt={onAt} />
    </>
  )
}

function Key({ debug, bench }: { readonly debug: boolean; readonly bench: boolean }): JSX.Element {
  const say = useSay()
  return <span className="row small dim">{debug ? <span className="row"><span className="zone-dot debug" />{say('side.debug')}</span> : null}{bench ? <span className="row"><span className="zone-dot bench" />{say('side.bench')}</span> : null}</span>
}

function Health({ debug, bench }: { readonly debug: TensorSideView | null; readonly bench: TensorSideView | null }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const size = (side: TensorSideView): number => side.shape.reduce((n, d) => n * d, 1)
  const facts = ['nan', 'inf', 'zero'] as const
  return (
    <table className="sides health">
      <tbody>
        {([['debug', debug], ['bench', bench]] as const).map(([name, side]) => (side === null ? null : (
          <tr key={name}>
            <th scope="row">{say(`side.${name}`)}</th>
            <td>
              <span className="row health-words">
                <span className="num">{say('values.size', { count: count(language, size(side)) })}</span>
                {facts.map(f => <span key={f} className={side[f] > 0 && f !== 'zero' ? 'bad' : 'dim'} title={percent(language, side[f], size(side))}>{say(`values.${f}`, { count: count(language, side[f]) })}</span>)}
              </span>
            </td>
          </tr>
        )))}
      </tbody>
    </table>
  )
}

const measures = ['abs', 'rel', 'ulp'] as const

function Heat({ heat, shape }: { readonly heat: NonNullable<TensorView['heat']>; readonly shape: readonly number[] }): JSX.Element {
  const say = useSay()
  const [measure, setMeasure] = useState<(typeof measures)[number]>('abs')
  return (
    <Section title={say('values.heat')} aside={<span className="row" style={{ gap: 2 }}>{measures.map(m => <Toggle key={m} className="button quiet small" on={m === measure} onChange={() => setMeasure(m)}>{say(`values.${m}`)}</Toggle>)}</span>}>
      <HeatMap rows={heat.rows} cols={heat.cols} values={heat[measure]} shape={shape} />
    </Section>
  )
}

/** Leading dimensions are chosen; the last two are rows and columns. */
function Slice({ view, at, onAt }: { readonly view: TensorView; readonly at: readonly number[]; onAt(at: readonly number[]): void }): JSX.Element | null {
  const say = useSay()
  const [which, setWhich] = useState<'debug' | 'bench' | 'error'>('debug')
  const { debug, bench, sliceRows, sliceCols } = view
  const side = debug ?? bench
  if (!side || sliceRows * sliceCols === 0) return null
  const { shape } = side
  const index = shape.map((_, i) => at[i] ?? 0)
  const lead = shape.length - 2
  const choices = [debug ? 'debug' : null, bench ? 'bench' : null, debug && bench ? 'error' : null].filter(c => c !== null) as readonly ('debug' | 'bench' | 'error')[]
  const now = choices.includes(which) ? which : choices[0] ?? 'debug'
  const value = (i: number): number => (now === 'error' ? Math.abs((debug?.slice[i] ?? NaN) - (bench?.slice[i] ?? NaN)) : (now === 'debug' ? debug : bench)?.slice[i] ?? NaN)
  const [row0, col0] = [lead >= 0 ? index[lead] ?? 0 : 0, index[shape.length - 1] ?? 0]
  const set = (dimension: number, to: number): void => onAt(index.with(dimension, Math.max(0, Math.min((shape[dimension] ?? 1) - 1, to))))
  return (
    <Section title={say('values.slice')} aside={<span className="row" style={{ gap: 2 }}>{choices.map(c => <Toggle key={c} className="button quiet small" on={c === now} onChange={() => setWhich(c)}>{say(c === 'error' ? 'values.error' : `side.${c}`)}</Toggle>)}</span>}>
      <div className="row dims">
        {shape.map((size, d) => (
          <label key={d} className="row small dim">
            <span className="num">{say('values.dim', { n: d })}</span>
            <input type="number" min={0} max={size - 1} step={d === lead ? rows : d === lead + 1 ? cols : 1} value={index[d] ?? 0} onChange={e => set(d, Number(e.target.value) || 0)} aria-label={say('values.dim-of', { n: d, size })} />
            <span className="faint num">{'/ '}{size}</span>
          </label>
        ))}
      </div>
      <div className="slice-holder" tabIndex={0} role="region" aria-label={say('values.slice')}>
        <table className="slice num">
          <thead><tr><td />{Array.from({ length: sliceCols }, (_, c) => <th key={c} scope="col">{col0 + c}</th>)}</tr></thead>
          <tbody>
            {Array.from({ length: sliceRows }, (_, r) => (
              <tr key={r}><th scope="row">{row0 + r}</th>{Array.from({ length: sliceCols }, (_, c) => {
                const i = r * sliceCols + c
                const differs = debug && bench && debug.slice[i] !== bench.slice[i]
                const v = value(i)
                return <td key={c} className={differs ? 'differs' : ''} title={`${String(debug?.slice[i] ?? '')}  ${String(bench?.slice[i] ?? '')}`}>{Number.isNaN(v) && !(debug && Number.isNaN(debug.slice[i] ?? 0)) ? '' : shortNumber(v)}</td>
              })}</tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  )
}
