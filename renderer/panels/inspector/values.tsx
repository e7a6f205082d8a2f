// The numbers of one tensor pair: health, histogram, error map, a slice, the worst elements.
import { useState, type JSX } from 'react'
import {
  RowState,
  type ItemDetail,
  type NodeDetail,
  type TensorAbout,
  type TensorSideView,
  type TensorView,
} from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { copyText } from '../../state/clipboard.ts'
import { count, percent, shortNumber } from '../../state/format.ts'
import { itemOf } from '../../state/names.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { select } from '../../state/selection.ts'
import { valueOf } from '../../state/query.ts'
import { problemKey } from '../../state/sessions.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Num, Section } from '../../ui/bits.tsx'
import { Button, MenuButton, Toggle } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Answered, Empty, ProblemCard } from '../../ui/states.tsx'
import { Ailments, Along, HealthBar, Kind, useAbout } from './about.tsx'
import { Closeness } from './closeness.tsx'
import { HeatMap } from './heat.tsx'
import { Histogram } from './histogram.tsx'
import { Slice, sliceAround, sliceColumns, sliceRows } from './slice.tsx'

/** Items with values; all that have rows where none has values, so that one can say why. */
function choices(node: NodeDetail): readonly ItemDetail[] {
  const withRows = node.items.filter(i => i.row >= 0)
  const withValues = withRows.filter(i => i.debug?.file || i.bench?.file)
  return withValues.length > 0 ? withValues : withRows
}

/** The tensor asked for, else the worst of those on both sides. */
function pick(node: NodeDetail, row: number | null): ItemDetail | undefined {
  const of = choices(node)
  const badness = (item: ItemDetail): number =>
    item.state === RowState.differs ? 1 + (item.level || 0) : item.state === RowState.noise ? 0 : -1
  return of.find(i => i.row === row) ?? of.toSorted((a, b) => badness(b) - badness(a))[0]
}

const itemName = (node: NodeDetail, { debug, bench }: ItemDetail): string =>
  itemOf((debug ?? bench)?.name ?? '', (debug ? node.at.debug : node.at.bench) ?? '')

export function Values({
  node,
  row,
}: {
  readonly node: NodeDetail
  readonly row: number | null
}): JSX.Element {
  const say = useSay()
  const item = pick(node, row)
  if (!item)
    return (
      <Empty icon="ranks" title={say('values.none')}>
        {say('values.none.what')}
      </Empty>
    )
  const asked = node.items.find(i => i.row === row)
  return (
    <>
      {row === null || item.row === row ? null : (
        <p className="values-instead small" role="status">
          <Icon name="info" size={12} />
          {asked
            ? say('values.instead', { asked: itemName(node, asked), shown: itemName(node, item) })
            : say('values.instead-row', { shown: itemName(node, item) })}
        </p>
      )}
      {/* Other tensors than before: nothing of the old ones stays on screen, not for a moment. */}
      <ValuesOf key={`${item.row} ${tensorsOf(item)}`} node={node} item={item} />
    </>
  )
}

/** Both tensors by name: after another mapping or a match by hand a row stands for others. */
const tensorsOf = ({ debug, bench }: ItemDetail): string => `${debug?.name ?? ''} ${bench?.name ?? ''}`

function ValuesOf({ node, item }: { readonly node: NodeDetail; readonly item: ItemDetail }): JSX.Element {
  const say = useSay()
  const of = tensorsOf(item)
  const [at, setAt] = useState<readonly number[]>([])
  const about = useAbout(item.row, of)
  const told = valueOf(about)
  const all = told?.ok ? told.value : null
  const answer = useUnitQuery({
    steps: ['dumps', 'metrics'],
    key: ['tensor', item.row, of, ...at],
    load: (here, signal) =>
      engine.tensor({ ...here, row: item.row, at, rows: sliceRows, cols: sliceColumns }, signal),
    keep: true,
  })
  return (
    <>
      <div className="row values-head">
        <MenuButton
          label={say('values.which')}
          className="button select small"
          entries={choices(node).map(i => ({
            id: String(i.row),
            text: itemName(node, i),
            on: i.row === item.row,
            run: () => select(node.at, 'inspector', i.row),
          }))}
        >
          <span className="value">{itemName(node, item)}</span>
        </MenuButton>
        <span className="small dim num cut">
          {[item.debug?.dtype ?? item.bench?.dtype, item.debug?.shape ?? item.bench?.shape]
            .filter(Boolean)
            .join('  ')}
        </span>
        <span className="grow" />
        {all && all.snippet !== '' ? (
          <Button
            look="quiet"
            small
            icon="copy"
            label={say('values.snippet')}
            onPress={() => void copyText(withSlice(all.snippet, at))}
          />
        ) : null}
      </div>
      <Kind answer={about} />
      <Answered
        answer={answer}
        skeleton={{ rows: 9, height: 18 }}
        renderValue={view => <View view={view} about={all} item={item} of={of} at={at} onAt={setAt} />}
      />
    </>
  )
}

/** The slice that is shown is the last line. */
const withSlice = (snippet: string, at: readonly number[]): string =>
  at.length < 2
    ? snippet
    : `${snippet}# debug[${at
        .map((index, axis) =>
          axis < at.length - 2 ? String(index) : `${index}:${index + sizeOn(axis, at.length)}`,
        )
        .join(', ')}]\n`
const sizeOn = (axis: number, of: number): number => (axis === of - 1 ? sliceColumns : sliceRows)

function View({
  view,
  about,
  item,
  of,
  at,
  onAt,
}: {
  readonly view: TensorView
  /** Null until all elements were seen. */
  readonly about: TensorAbout | null
  readonly item: ItemDetail
  readonly of: string
  readonly at: readonly number[]
  onAt(at: readonly number[]): void
}): JSX.Element {
  const say = useSay()
  const { debug, bench, histogram, heat, worst, problems } = view
  if (!debug && !bench)
    return (
      <div className="column" style={{ padding: 12, gap: 8 }}>
        {problems.map(p => (
          <ProblemCard key={problemKey(p)} problem={p} />
        ))}
        {problems.length === 0 ? (
          <Empty icon="ranks" title={say('values.no-data')}>
            {say('values.no-data.what')}
          </Empty>
        ) : null}
      </div>
    )
  return (
    <>
      {problems.map(p => (
        <div key={problemKey(p)} style={{ padding: '8px 12px 0' }}>
          <ProblemCard problem={p} />
        </div>
      ))}
      <Section title={say('values.health')}>
        <Health debug={debug} bench={bench} about={about} onAt={index => onAt(sliceAround(index))} />
      </Section>
      {hasStatistics(item) ? null : <Statistics debug={debug} bench={bench} />}
      {histogram ? (
        <Section
          title={say('values.histogram')}
          aside={<Key debug={debug !== null} bench={bench !== null} />}
        >
          <Histogram {...histogram} />
        </Section>
      ) : null}
      {heat ? <Heat heat={heat} shape={(debug ?? bench)?.shape ?? []} /> : null}
      {about ? <Along along={about.along} /> : null}
      {worst.length > 0 ? <Worst worst={worst} onAt={onAt} /> : null}
      {debug && bench ? <Closeness row={item.row} of={of} /> : null}
      <Slice view={view} at={at} onAt={onAt} />
    </>
  )
}

/** The elements that are furthest apart; each leads to the slice that it stands in. */
function Worst({
  worst,
  onAt,
}: {
  readonly worst: TensorView['worst']
  onAt(at: readonly number[]): void
}): JSX.Element {
  const say = useSay()
  return (
    <Section title={say('values.worst')}>
      <table className="worst">
        <thead>
          <tr>
            <th scope="col">{say('values.index')}</th>
            <th scope="col">{say('side.debug')}</th>
            <th scope="col">{say('side.bench')}</th>
            <th scope="col">{say('values.error')}</th>
          </tr>
        </thead>
        <tbody>
          {worst.map(w => (
            <tr key={w.index.join()}>
              <td>
                <button type="button" className="link num" onClick={() => onAt(sliceAround(w.index))}>
                  {`[${w.index.join(', ')}]`}
                </button>
              </td>
              <td className="num" title={String(w.debug)}>
                {shortNumber(w.debug)}
              </td>
              <td className="num" title={String(w.bench)}>
                {shortNumber(w.bench)}
              </td>
              <td className="num bad" title={String(w.error)}>
                {shortNumber(w.error)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}

function Key({ debug, bench }: { readonly debug: boolean; readonly bench: boolean }): JSX.Element {
  const say = useSay()
  return (
    <span className="row small dim">
      {debug ? (
        <span className="row">
          <span className="zone-dot debug" />
          {say('side.debug')}
        </span>
      ) : null}
      {bench ? (
        <span className="row">
          <span className="zone-dot bench" />
          {say('side.bench')}
        </span>
      ) : null}
    </span>
  )
}

function Health({
  debug,
  bench,
  about,
  onAt,
}: {
  readonly debug: TensorSideView | null
  readonly bench: TensorSideView | null
  readonly about: TensorAbout | null
  onAt(index: readonly number[]): void
}): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const size = (side: TensorSideView): number => side.shape.reduce((n, d) => n * d, 1)
  const facts = ['nan', 'inf', 'zero'] as const
  return (
    <table className="sides health">
      <tbody>
        {(
          [
            ['debug', debug],
            ['bench', bench],
          ] as const
        ).map(([name, side]) =>
          side === null ? null : (
            <tr key={name}>
              <th scope="row">{say(`side.${name}`)}</th>
              <td>
                <span className="row health-words">
                  <span className="num">{say('values.size', { count: count(language, size(side)) })}</span>
                  {about?.[name] ? (
                    <>
                      <HealthBar health={about[name]} />
                      <span className="dim">
                        {say('values.zero', { count: count(language, about[name].zeros) })}
                      </span>
                      <Ailments health={about[name]} onAt={onAt} />
                    </>
                  ) : null}
                  {(about?.[name] ? [] : facts).map(f => (
                    <span
                      key={f}
                      className={side[f] > 0 && f !== 'zero' ? 'bad' : 'dim'}
                      title={percent(language, side[f], size(side))}
                    >
                      {say(`values.${f}`, { count: count(language, side[f]) })}
                    </span>
                  ))}
                </span>
              </td>
            </tr>
          ),
        )}
      </tbody>
    </table>
  )
}

/** Whether the dump itself says them: then they stand beside the tensor's name. */
const hasStatistics = ({ debug, bench }: ItemDetail): boolean =>
  [debug, bench].some(side => side !== null && side.max !== '' && side.max !== 'None')

const statistics = ['max', 'min', 'mean', 'norm'] as const

/** Of tensors that come without any: made of their values. */
function Statistics({
  debug,
  bench,
}: {
  readonly debug: TensorSideView | null
  readonly bench: TensorSideView | null
}): JSX.Element {
  const say = useSay()
  const sides = (
    [
      ['debug', debug],
      ['bench', bench],
    ] as const
  ).filter(([, side]) => side !== null)
  return (
    <Section title={say('values.statistics')}>
      <table className="sides">
        <thead>
          <tr>
            <td />
            {sides.map(([name]) => (
              <th key={name} scope="col">
                {say(`side.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {statistics.map(field => (
            <tr key={field}>
              <th scope="row">{say(`field.${field}`)}</th>
              {sides.map(([name, side]) => (
                <td key={name}>
                  <Num text={String(side?.[field] ?? '')} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}

const measures = ['abs', 'rel', 'ulp'] as const

function Heat({
  heat,
  shape,
}: {
  readonly heat: NonNullable<TensorView['heat']>
  readonly shape: readonly number[]
}): JSX.Element {
  const say = useSay()
  const [measure, setMeasure] = useState<(typeof measures)[number]>('abs')
  return (
    <Section
      title={say('values.heat')}
      aside={
        <span className="row" style={{ gap: 2 }}>
          {measures.map(m => (
            <Toggle key={m} className="button quiet small" on={m === measure} onChange={() => setMeasure(m)}>
              {say(`values.${m}`)}
            </Toggle>
          ))}
        </span>
      }
    >
      <HeatMap rows={heat.rows} cols={heat.cols} values={heat[measure]} shape={shape} />
    </Section>
  )
}
