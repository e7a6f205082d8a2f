// The numbers of one tensor pair: health, histogram, error map, a slice, the worst elements.
import { useState, type JSX } from 'react'
import {
  RowState,
  type ItemDetail,
  type NodeDetail,
  type Side,
  type TensorAbout,
  type TensorAlignment,
  type TensorHealth,
  type TensorWorst,
} from '../../../preload/contract/engine.ts'
import { copyText } from '../../state/clipboard.ts'
import { count, shortNumber } from '../../state/format.ts'
import { itemOf } from '../../state/names.ts'
import { select } from '../../state/selection.ts'
import { valueOf } from '../../state/query.ts'
import { problemKey } from '../../state/sessions.ts'
import { useSay } from '../../state/words.ts'
import { otherSide, useWorkbench } from '../../state/workbench.ts'
import { Num, Section } from '../../ui/bits.tsx'
import { Button, MenuButton } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Answered, Empty, ProblemCard } from '../../ui/states.tsx'
import { Ailments, Along, HealthBar, Kind } from './about.tsx'
import { Align } from './align.tsx'
import { Closeness } from './closeness.tsx'
import { Heat } from './heat.tsx'
import { useAbout, type Shown } from './look.ts'
import { Numbers } from './numbers.tsx'
import { Sampled } from './sampled.tsx'
import { Spread } from './spread.tsx'

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
  const [at, setAt] = useState<readonly number[]>([])
  const [align, setAlign] = useState<TensorAlignment | null>(null)
  const [exact, setExact] = useState(true)
  const shown: Shown = { row: item.row, of: tensorsOf(item), align, exact }
  const about = useAbout(shown)
  const told = valueOf(about)
  const all = told?.ok ? told.value : null
  const both = Boolean(item.debug?.file && item.bench?.file)
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
            icon="code"
            label={say('values.snippet')}
            testId="snippet"
            onPress={() => void copyText(withIndex(all, at))}
          />
        ) : null}
      </div>
      {both ? <Kind shown={shown} /> : null}
      {both ? <Align shown={shown} onAlign={setAlign} /> : null}
      <Answered
        answer={about}
        skeleton={{ rows: 9, height: 18 }}
        renderValue={result =>
          result.ok ? (
            <View
              key={JSON.stringify(align)}
              about={result.value}
              item={item}
              shown={shown}
              at={at}
              onAt={setAt}
              onExact={setExact}
            />
          ) : (
            <div style={{ padding: '8px 12px 0' }}>
              <ProblemCard problem={result.problem} />
            </div>
          )
        }
      />
    </>
  )
}

/** Where the person is, as the last lines. */
function withIndex({ snippet, debug, bench }: TensorAbout, at: readonly number[]): string {
  if (at.length === 0) return snippet
  const index = `[${at.join(', ')}]`
  const lines = [
    debug ? `debug${index}` : '',
    bench && at.length === bench.shape.length ? `bench${index}` : '',
  ]
  return `${snippet}print(${lines.filter(line => line !== '').join(', ')})\n`
}

function View({
  about,
  item,
  shown,
  at,
  onAt,
  onExact,
}: {
  readonly about: TensorAbout
  readonly item: ItemDetail
  readonly shown: Shown
  readonly at: readonly number[]
  onAt(at: readonly number[]): void
  onExact(exact: boolean): void
}): JSX.Element {
  const say = useSay()
  const { debug, bench, worst, problems } = about
  const shape = (debug ?? bench)?.shape
  if (!shape)
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
  const sides = { debug: debug !== null, bench: bench !== null }
  return (
    <>
      {problems.map(p => (
        <div key={problemKey(p)} style={{ padding: '8px 12px 0' }}>
          <ProblemCard problem={p} />
        </div>
      ))}
      <OneSided item={item} sides={sides} />
      <Section
        title={say('values.health')}
        aside={<Sampled sampled={about.sampled} exact={shown.exact} onExact={onExact} />}
      >
        <Health about={about} onAt={onAt} />
      </Section>
      {hasStatistics(item) ? null : <Statistics debug={debug} bench={bench} />}
      <Heat
        shown={shown}
        shape={shape}
        sides={sides}
        isPair={about.pair !== null}
        telling={about.telling}
        at={at}
        onAt={onAt}
      />
      <Along along={about.along} telling={about.telling} />
      {worst.length > 0 ? <Worst worst={worst} onAt={onAt} /> : null}
      <Spread shown={shown} />
      {debug && bench && shown.align === null ? <Closeness row={item.row} of={shown.of} /> : null}
      <Numbers shown={shown} shape={shape} sides={sides} at={at} onAt={onAt} />
    </>
  )
}

/** Why there is nothing to compare, where a tensor is on both sides and only one can be read. */
function OneSided({
  item,
  sides,
}: {
  readonly item: ItemDetail
  readonly sides: Readonly<Record<Side, boolean>>
}): JSX.Element | null {
  const say = useSay()
  const blind = sides.debug ? 'bench' : 'debug'
  const missing = item[blind]
  if (sides.debug === sides.bench || !missing) return null
  return (
    <p className="values-instead small" role="status">
      <Icon name="info" size={12} />
      {say('values.one-side', {
        side: say(`side.${blind}`),
        other: say(`side.${otherSide(blind)}`),
        dtype: missing.dtype,
      })}
    </p>
  )
}

/** The elements that are furthest apart; each leads to the slice that it stands in. */
function Worst({
  worst,
  onAt,
}: {
  readonly worst: readonly TensorWorst[]
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
                <button type="button" className="link num" onClick={() => onAt(w.index)}>
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

function Health({
  about,
  onAt,
}: {
  readonly about: TensorAbout
  onAt(index: readonly number[]): void
}): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  return (
    <table className="sides health">
      <tbody>
        {(['debug', 'bench'] as const).map(name => {
          const side = about[name]
          return side === null ? null : (
            <tr key={name}>
              <th scope="row">{say(`side.${name}`)}</th>
              <td>
                <span className="row health-words">
                  <span className="num">
                    {say('values.size', {
                      count: count(
                        language,
                        side.shape.reduce((n, d) => n * d, 1),
                      ),
                    })}
                  </span>
                  <HealthBar health={side} />
                  <span className="dim">{say('values.zero', { count: count(language, side.zeros) })}</span>
                  <Ailments health={side} onAt={onAt} />
                </span>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** Whether the dump itself says them: then they stand beside the tensor's name. */
const hasStatistics = ({ debug, bench }: ItemDetail): boolean =>
  [debug, bench].some(side => side !== null && side.max !== '' && side.max !== 'None')

const statistics = ['max', 'min', 'mean', 'std', 'norm'] as const

/** Of tensors that come without any: made of their values. */
function Statistics({
  debug,
  bench,
}: {
  readonly debug: TensorHealth | null
  readonly bench: TensorHealth | null
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
