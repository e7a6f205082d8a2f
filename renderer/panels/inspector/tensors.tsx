// Inputs, parameters and outputs of a node: both sides under each other, differences marked.
import { memo, useEffect, useRef, type JSX, type RefObject } from 'react'
import {
  type ItemDetail,
  type ItemSide,
  type NodeDetail,
  rowStates,
  type RowStateName,
} from '../../../preload/contract/engine.ts'
import type { Language } from '../../../preload/contract/words/index.ts'
import { reasonText } from '../../../preload/contract/words/reason.ts'
import { toolText } from '../../../preload/contract/words/tool.ts'
import { once } from '../../state/format.ts'
import { itemOf, nameParts } from '../../state/names.ts'
import { showOverTime } from '../../state/over-time.ts'
import { select } from '../../state/selection.ts'
import { changeLayout, foldPart } from '../../state/settings.ts'
import { isSingle, panesOf } from '../../state/study.ts'
import { sayIf, useSay } from '../../state/words.ts'
import { nodeName, nodeOn, useWorkbench } from '../../state/workbench.ts'
import { Name, Num, RowStatePill, useFitted } from '../../ui/bits.tsx'
import { Button } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Empty } from '../../ui/states.tsx'

const parts = ['input', 'parameters', 'output', 'parameters_grad'] as const
const fields = ['dtype', 'shape', 'layout', 'max', 'min', 'mean', 'norm', 'md5'] as const

export const Tensors = memo(function Tensors({
  node,
  row,
}: {
  readonly node: NodeDetail
  readonly row: number | null
}): JSX.Element {
  const say = useSay()
  const begin = node.items.find(i => stateOf(i) === 'differs') ?? node.items[0]
  // What is known of besides its tensors is no module to look into.
  if (node.items.length === 0 && node.facts.debug.length + node.facts.bench.length > 0)
    return <p className="part dim">{say('inspector.no-items.op')}</p>
  if (node.items.length === 0)
    return (
      <Empty icon="nodes" title={say('inspector.no-items')}>
        {say('inspector.no-items.what')}
      </Empty>
    )
  return (
    <>
      {parts
        .filter(part => node.items.some(i => i.part === part))
        .map(part => (
          <section key={part} className="part">
            <h3 className="section-title">{say(`part.${part}`)}</h3>
            {/* By place: another node's items take over the elements of the last one's, which is many times quicker than making them. */}
            {node.items
              .filter(i => i.part === part)
              .map((item, i) => (
                <Item
                  key={i}
                  item={item}
                  node={node}
                  here={row !== null && item.row === row}
                  begin={row === null && item === begin}
                />
              ))}
          </section>
        ))}
    </>
  )
})

const stateOf = (item: ItemDetail): RowStateName =>
  item.debug === null || item.bench === null ? 'unpaired' : (rowStates[item.state] ?? 'incomparable')

interface ItemProps {
  readonly item: ItemDetail
  readonly node: NodeDetail
  readonly here: boolean
  readonly begin: boolean
}

function Item(props: ItemProps): JSX.Element {
  const { item, node, here } = props
  const box = useRef<HTMLDivElement>(null)
  useInView(box, props)
  const whyFolded = useWorkbench(s => s.layout.folded[whyPart] === true)
  return (
    <div ref={box} className={`item ${here ? 'here' : ''} fill-${item.fill}`}>
      <ItemHead item={item} node={node} />
      {isDirect(item) ? (
        <Direct item={item} />
      ) : (
        <>
          {whyFolded ? null : <Why item={item} />}
          <SidesTable item={item} />
          <Metrics item={item} />
        </>
      )}
      {whyFolded ? null : <Message item={item} />}
      {item.links.length > 0 ? <Links item={item} /> : null}
    </div>
  )
}

/** What scrolls by hand; the browser itself scrolls when something grows. */
const scrolls = ['wheel', 'pointerdown', 'keydown'] as const

/** What comes in above an item later, or a smaller pane, does not push it out of view, until somebody scrolls. */
function keepInView(item: HTMLElement): (() => void) | undefined {
  const scroller = item.closest('.tab-panel')
  if (!scroller) return undefined
  const growing = new ResizeObserver(() => item.scrollIntoView({ block: 'nearest' }))
  const stop = (): void => growing.disconnect()
  for (const box of [scroller, ...scroller.children]) growing.observe(box)
  for (const name of scrolls) scroller.addEventListener(name, stop, { passive: true })
  return () => {
    stop()
    for (const name of scrolls) scroller.removeEventListener(name, stop)
  }
}

/** The selected item is in view; another node begins at its first tensor that differs. */
function useInView(box: RefObject<HTMLElement | null>, { node, here, begin }: ItemProps): void {
  const whose = nodeName(node.at)
  useEffect(() => (here && box.current ? keepInView(box.current) : undefined), [here, box])
  // In the frame itself, which lays out anyway.
  useEffect(() => {
    if (!begin) return undefined
    const frame = requestAnimationFrame(() => box.current?.scrollIntoView({ block: 'nearest' }))
    return () => cancelAnimationFrame(frame)
  }, [begin, whose, box])
}

/** What is remembered of whether reasons are folded away. */
const whyPart = 'inspector-why'

/** '' where nothing decided the state. */
const whyOf = (language: Language, item: ItemDetail): string =>
  item.reason && stateOf(item) !== 'unpaired' && !isDirect(item) ? reasonText(language, item.reason) : ''

const messageOf = (item: ItemDetail): string => item.cells.find(c => c.id === 'message')?.text.trim() ?? ''

/** What decided the state: the rule and its numbers; what is off by less stands in the tip. */
function Why({ item }: Pick<ItemProps, 'item'>): JSX.Element | null {
  const text = whyOf(
    useWorkbench(s => s.language),
    item,
  )
  if (text === '') return null
  return (
    <p className="reason small copyable" title={text} data-testid="reason">
      {text.split('\n', 1)[0]}
    </p>
  )
}

/** What msprobe says of it. */
function Message({ item }: Pick<ItemProps, 'item'>): JSX.Element | null {
  const language = useWorkbench(s => s.language)
  const message = messageOf(item)
  return message === '' ? null : (
    <p className="message small copyable" title={message}>
      <Icon name="info" size={12} />
      {toolText(language, once(message))}
    </p>
  )
}

/** The state of an item stays in view; a click on it folds away why, or shows it again, of all items. */
function State({ item }: Pick<ItemProps, 'item'>): JSX.Element {
  const say = useSay()
  const why = whyOf(
    useWorkbench(s => s.language),
    item,
  )
  const folded = useWorkbench(s => s.layout.folded[whyPart] === true)
  const is = stateOf(item)
  if (why === '' && messageOf(item) === '') return <RowStatePill is={is} />
  return (
    <button
      type="button"
      className="why-toggle"
      aria-expanded={!folded}
      aria-label={say('inspector.why', { state: say(`state.${is}`) })}
      title={why}
      onClick={() => foldPart(whyPart, !folded)}
    >
      <RowStatePill is={is} />
      <Icon name={folded ? 'right' : 'down'} size={10} />
    </button>
  )
}

function ItemHead({ item, node }: Pick<ItemProps, 'item' | 'node'>): JSX.Element {
  const say = useSay()
  const single = useWorkbench(s => isSingle(s.session))
  const overTime = useWorkbench(s => panesOf(s.session).includes('overtime'))
  const side = item.debug ?? item.bench
  const name = itemOf(side?.name ?? '', (item.debug ? node.at.debug : node.at.bench) ?? '')
  const [shown, nameBox] = useFitted(name)
  const choose = (): void => {
    if (item.row >= 0) select(node.at, 'inspector', item.row)
  }
  const showValues = (): void => {
    choose()
    changeLayout({ inspectorTab: 'values' })
  }
  return (
    <div className="row item-head">
      <button
        ref={nameBox}
        type="button"
        className="link item-name cut-name"
        title={side?.name}
        onClick={choose}
      >
        {shown}
      </button>
      {side?.file ? (
        <Button look="quiet" small icon="eye" label={say('inspector.see-values')} onPress={showValues} />
      ) : null}
      {overTime && side && side.dtype !== '' ? (
        <Button
          look="quiet"
          small
          icon="clock"
          label={say('series.of-item')}
          testId="item-over-time"
          onPress={() => showOverTime(side.name, 'norm')}
        />
      ) : null}
      {single ? null : <State item={item} />}
    </div>
  )
}

/** Values that are no tensors, on every side that has one: they stand as they were dumped. */
const isDirect = ({ debug, bench }: ItemDetail): boolean =>
  (debug ?? bench) !== null && debug?.value !== '' && bench?.value !== ''

/** Small numbers without an exponent, where that is as short. */
const spelledOut = (text: string): string => (/^-?\d\S*e-0?\d$/.test(text) ? String(Number(text)) : text)

/** `value 0.1 ≠ 0.00001`: what a scalar needs instead of statistics. */
function Direct({ item: { debug, bench } }: Pick<ItemProps, 'item'>): JSX.Element {
  const say = useSay()
  const single = useWorkbench(s => isSingle(s.session))
  const shown = single ? [debug ?? bench] : [debug, bench]
  const [mine, theirs] = shown.map(side => (side ? spelledOut(side.value) : '∅'))
  const differs = theirs !== undefined && mine !== theirs
  const value = (text: string | undefined): JSX.Element => (
    <span className={`num ${differs ? 'bad' : ''}`}>{text}</span>
  )
  return (
    <p className="direct copyable" data-testid="direct">
      <span className="dim">{say('inspector.value')}</span>
      {value(mine)}
      {theirs === undefined ? null : (
        <>
          <span className={differs ? 'bad' : 'faint'}>{differs ? '≠' : '='}</span>
          {value(theirs)}
        </>
      )}
      {debug && bench ? <span className="faint small">{say('inspector.directly')}</span> : null}
    </p>
  )
}

function SidesTable({ item }: Pick<ItemProps, 'item'>): JSX.Element {
  const { debug, bench } = item
  const say = useSay()
  const single = useWorkbench(s => isSingle(s.session))
  const shown = fields.filter(f => debug?.[f] || bench?.[f])
  return (
    <table className="sides">
      {single ? null : (
        <thead>
          <tr>
            <td />
            <th scope="col">{say('side.debug')}</th>
            <th scope="col">{say('side.bench')}</th>
          </tr>
        </thead>
      )}
      <tbody>
        {shown.map(field => (
          <Field key={field} field={field} item={item} single={single} />
        ))}
      </tbody>
    </table>
  )
}

/** Columns that are said in another way: by the message below. */
const saidElsewhere = new Set(['message', 'why'])

function Metrics({ item }: Pick<ItemProps, 'item'>): JSX.Element | null {
  const language = useWorkbench(s => s.language)
  const both = useWorkbench(s => !isSingle(s.session))
  const cells = item.cells.filter(c => c.text !== '' && !saidElsewhere.has(c.id))
  // Of what has no partner nothing was measured.
  if (cells.length === 0 || (both && stateOf(item) === 'unpaired')) return null
  return (
    <dl className="metrics">
      {cells.map(c => (
        <div
          key={c.id}
          className="metric"
          title={[c.title, sayIf(language, `metric.${c.id}`)].filter(Boolean).join('\n')}
        >
          <dt>{sayIf(language, `column.${c.id}`) ?? c.title}</dt>
          <dd>
            <Num text={c.text} told={toolText(language, c.text)} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The name of a type without its framework's prefix. */
const bareType = (text: string): string => text.replace(/^torch\./, '').toLowerCase()

function Field({
  field,
  item,
  single,
}: {
  readonly field: (typeof fields)[number]
  readonly item: ItemDetail
  readonly single: boolean
}): JSX.Element {
  const { debug, bench } = item
  const say = useSay()
  const told = (side: ItemSide): string => (field === 'dtype' ? bareType(side.dtype) : side[field])
  // Where values lie says nothing of them.
  const differs = field !== 'layout' && debug !== null && bench !== null && told(debug) !== told(bench)
  // Colour is for what is wrong: numbers that are off within noise are only marked.
  const counts = differs && stateOf(item) === 'differs'
  const cell = (side: ItemSide | null): JSX.Element => (
    <td className={counts ? 'differs' : ''}>
      {side === null ? (
        <span className="faint" aria-label={say('inspector.nothing-here')}>
          ∅
        </span>
      ) : (
        <Num text={side[field]} differs={counts} />
      )}
    </td>
  )
  return (
    <tr>
      <th scope="row">
        {say(`field.${field}`)}
        {differs ? (
          <span
            className={`differs-mark ${counts ? 'bad' : 'faint'}`}
            role="img"
            aria-label={say('inspector.differs')}
          >
            ≠
          </span>
        ) : null}
      </th>
      {cell(single ? (debug ?? bench) : debug)}
      {single ? null : cell(bench)}
    </tr>
  )
}

function Links({ item }: { readonly item: ItemDetail }): JSX.Element {
  const say = useSay()
  return (
    <ul className="links small">
      {item.links.map(link => (
        <li key={`${link.side}${link.node}${link.item}`} className="row">
          <Icon name="arrow" size={11} />
          <span className="dim">
            {say(item.part === 'output' ? 'inspector.read-by' : 'inspector.written-by')}
          </span>
          <Name
            text={nameParts(link.node).short}
            title={link.node}
            onPress={() => select(nodeOn(link.side, link.node), 'inspector')}
          />
          <span className="faint cut">
            {link.by === 'graph'
              ? say('inspector.in-graph')
              : say(link.sure ? 'inspector.inferred' : 'inspector.inferred-unsure', {
                  by: sayBy(say, link.by),
                })}
          </span>
        </li>
      ))}
    </ul>
  )
}

const known = ['md5', 'bytes', 'hash', 'statistics', 'stats'] as const
const sayBy = (say: ReturnType<typeof useSay>, by: string): string =>
  (known as readonly string[]).includes(by) ? say(`by.${by as (typeof known)[number]}`) : by
