// Inputs, parameters and outputs of a node: both sides under each other, differences marked.
import { memo, useEffect, useRef, type JSX } from 'react'
import type { ItemDetail, ItemSide, NodeDetail } from '../../../preload/contract/engine.ts'
import { itemOf, nameParts } from '../../state/names.ts'
import { select } from '../../state/selection.ts'
import { changeLayout } from '../../state/settings.ts'
import { sayIf, useSay } from '../../state/words.ts'
import { nodeName, nodeOn, useWorkbench } from '../../state/workbench.ts'
import { Num, Verdict, verdictWords, type VerdictWord } from '../../ui/bits.tsx'
import { Button } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Empty } from '../../ui/states.tsx'

const parts = ['input', 'parameters', 'output', 'parameters_grad'] as const
const fields = ['dtype', 'shape', 'max', 'min', 'mean', 'norm', 'md5'] as const

export const Tensors = memo(function Tensors({ node, row }: { readonly node: NodeDetail; readonly row: number | null }): JSX.Element {
  const say = useSay()
  const begin = node.items.find(i => verdictOf(i) === 'disagree') ?? node.items[0]
  if (node.items.length === 0) return <Empty icon="nodes" title={say('inspector.no-items')}>{say('inspector.no-items.what')}</Empty>
  return (
    <>
      {parts.filter(part => node.items.some(i => i.part === part)).map(part => (
        <section key={part} className="part">
          <h3 className="section-title">{say(`part.${part}`)}</h3>
          {/* By place: another node's items take over the elements of the last one's, which is many times quicker than making them. */}
          {node.items.filter(i => i.part === part).map((item, i) => <Item key={i} item={item} node={node} here={row !== null && item.row === row} begin={row === null && item === begin} />)}
        </section>
      ))}
    </>
  )
})

const verdictOf = (item: ItemDetail): VerdictWord => (item.debug === null || item.bench === null ? 'unmatched' : verdictWords[item.verdict as 0 | 1 | 2] ?? 'unknown')

function Item({ item, node, here, begin }: { readonly item: ItemDetail; readonly node: NodeDetail; readonly here: boolean; readonly begin: boolean }): JSX.Element {
  const say = useSay()
  const single = useWorkbench(s => s.session?.bench === null)
  const language = useWorkbench(s => s.language)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => { if (here) box.current?.scrollIntoView({ block: 'nearest' }) }, [here])
  const whose = nodeName(node.at)
  // Another node begins at its first tensor that differs; in the frame itself, which lays out anyway.
  useEffect(() => {
    if (!begin) return undefined
    const frame = requestAnimationFrame(() => box.current?.scrollIntoView({ block: 'nearest' }))
    return () => cancelAnimationFrame(frame)
  }, [begin, whose])
  const side = item.debug ?? item.bench
  const name = itemOf(side?.name ?? '', (item.debug ? node.at.debug : node.at.bench) ?? '')
  const shown = fields.filter(f => item.debug?.[f] || item.bench?.[f])
  const cells = item.cells.filter(c => c.text !== '' && c.id !== 'message' && !/^(?:accuracy|result|why)$/.test(c.id))
  const message = item.cells.find(c => c.id === 'message')?.text ?? ''
  const values = (): void => { if (item.row >= 0) select(node.at, 'inspector', item.row); changeLayout({ inspectorTab: 'values' }) }
  return (
    <div ref={box} className={`item ${here ? 'here' : ''} fill-${item.fill}`}>
      <div className="row item-head">
        <button type="button" className="link item-name cut-front" title={side?.name} onClick={() => { if (item.row >= 0) select(node.at, 'inspector', item.row) }}>{`\u200e${name}`}</button>
        <span className="grow" />
        {side?.file ? <Button look="quiet" small icon="eye" label={say('inspector.see-values')} onPress={values} /> : null}
        {single ? null : <Verdict is={verdictOf(item)} />}
      </div>
      <table className="sides">
        {single ? null : <thead><tr><td /><th scope="col">{say('side.debug')}</th><th scope="col">{say('side.bench')}</th></tr></thead>}
        <tbody>{shown.map(field => <Field key={field} field={field} debug={item.debug} bench={item.bench} single={single} />)}</tbody>
      </table>
      {cells.length > 0 ? (
        <dl className="metrics">
          {cells.map(c => (
            <div key={c.id} className="metric" title={[c.title, sayIf(language, `metric.${c.id}`)].filter(Boolean).join('\n')}><dt>{sayIf(language, `column.${c.id}`) ?? c.title}</dt><dd><Num text={c.text} /></dd></div>
          ))}
        </dl>
      ) : null}
      {message.trim() === '' ? null : <p className="message small copyable" title={message.trim()}><Icon name="info" size={12} />{once(message.trim())}</p>}
      {item.links.length > 0 ? <Links item={item} /> : null}
    </div>
  )
}

/** msprobe says the same once per input: each line once, and how often. */
function once(message: string): string {
  const times = new Map<string, number>()
  for (const line of message.split('\n')) times.set(line, (times.get(line) ?? 0) + 1)
  return [...times].map(([line, n]) => (n > 1 ? `${line} (×${n})` : line)).join('\n')
}

/** The name of a type without its framework's prefix. */
const bareType = (text: string): string => text.replace(/^torch\./, '').toLowerCase()

function Field({ field, debug, bench, single }: { readonly field: (typeof fields)[number]; readonly debug: ItemSide | null; readonly bench: ItemSide | null; readonly single: boolean }): JSX.Element {
  const say = useSay()
  const told = (side: ItemSide): string => (field === 'dtype' ? bareType(side.dtype) : side[field])
  const differs = debug !== null && bench !== null && told(debug) !== told(bench)
  const cell = (side: ItemSide | null): JSX.Element =>
    <td className={differs ? 'differs' : ''}>{side === null ? <span className="faint" aria-label={say('inspector.nothing-here')}>∅</span> : <Num text={side[field]} differs={differs} />}</td>
  return <tr><th scope="row">{say(`field.${field}`)}{differs ? <span className="differs-mark" role="img" aria-label={say('inspector.differs')}>≠</span> : null}</th>{cell(single ? debug ?? bench : debug)}{single ? null : cell(bench)}</tr>
}

function Links({ item }: { readonly item: ItemDetail }): JSX.Element {
  const say = useSay()
  return (
    <ul className="links small">
      {item.links.map(link => (
        <li key={`${link.side}${link.node}${link.item}`} className="row">
          <Icon name="arrow" size={11} />
          <span className="dim">{say(item.part === 'output' ? 'inspector.read-by' : 'inspector.written-by')}</span>
          <button type="button" className="link cut" title={link.node} onClick={() => select(nodeOn(link.side, link.node), 'inspector')}>{nameParts(link.node).short}</button>
          <span className="faint cut">{say(link.sure ? 'inspector.inferred' : 'inspector.inferred-unsure', { by: sayBy(say, link.by) })}</span>
        </li>
      ))}
    </ul>
  )
}

const known = ['md5', 'bytes', 'hash', 'statistics', 'stats'] as const
const sayBy = (say: ReturnType<typeof useSay>, by: string): string => ((known as readonly string[]).includes(by) ? say(`by.${by as (typeof known)[number]}`) : by)
