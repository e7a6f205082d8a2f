// The inferred dataflow around the selected node: layers made by elk in a worker, tensor shapes on the edges.
import ELK, { type ElkExtendedEdge, type ElkNode } from 'elkjs/lib/elk-api.js'
import elkUrl from 'elkjs/lib/elk-worker.min.js?url'
import { useState, type JSX } from 'react'
import type { FlowDrawing, FlowEdge, NodeDetail, Side } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { select } from '../../state/selection.ts'
import { useSay } from '../../state/words.ts'
import { nodeName, stamp, useWorkbench } from '../../state/workbench.ts'
import { Toggle } from '../../ui/controls.tsx'
import { Empty, Failed, Skeleton } from '../../ui/states.tsx'

const reaches = [1, 2, 3] as const
const most = 120
const letter = 6.4
const boxHeight = 24
const longest = 34

interface Placed {
  readonly width: number
  readonly height: number
  readonly boxes: readonly { readonly id: string; readonly text: string; readonly x: number; readonly y: number; readonly w: number; readonly bucket: number; readonly inside: boolean }[]
  readonly lines: readonly { readonly edge: FlowEdge; readonly path: string; readonly x: number; readonly y: number }[]
}

let elk: InstanceType<typeof ELK> | null = null
/** One worker for as long as the window lives: starting it costs more than most layouts. */
const layouter = (): InstanceType<typeof ELK> => (elk ??= new ELK({ workerFactory: () => new Worker(elkUrl) }))

const short = (text: string): string => (text.length > longest ? `…${text.slice(1 - longest)}` : text)

async function layOut(drawing: FlowDrawing): Promise<Placed> {
  const texts = new Map(drawing.nodes.map(node => [node.id, short(node.label.replace(/\.(forward|backward)(\.\d+)?$/, ''))]))
  const graph: ElkNode = {
    id: 'root',
    layoutOptions: { 'elk.algorithm': 'layered', 'elk.direction': 'DOWN', 'elk.layered.spacing.nodeNodeBetweenLayers': '34', 'elk.spacing.nodeNode': '14', 'elk.edgeRouting': 'POLYLINE' },
    children: drawing.nodes.map(node => ({ id: node.id, width: (texts.get(node.id) ?? '').length * letter + 26, height: boxHeight })),
    edges: drawing.edges.map((edge, i): ElkExtendedEdge => ({ id: String(i), sources: [edge.from], targets: [edge.to] })),
  }
  const placed = await layouter().layout(graph)
  const byId = new Map(drawing.nodes.map(node => [node.id, node]))
  return {
    width: placed.width ?? 0, height: placed.height ?? 0,
    boxes: (placed.children ?? []).map(({ id, x = 0, y = 0, width = 0 }) => ({ id, text: `${byId.get(id)?.backward ? '◂' : '▸'} ${texts.get(id) ?? ''}`, x, y, w: width, bucket: byId.get(id)?.bucket ?? -1, inside: byId.get(id)?.inside ?? false })),
    lines: (placed.edges ?? []).flatMap(({ id, sections }) => {
      const edge = drawing.edges[Number(id)]
      const [section] = sections ?? []
      if (!edge || !section) return []
      const points = [section.startPoint, ...(section.bendPoints ?? []), section.endPoint]
      const middle = points[Math.floor((points.length - 1) / 2)] ?? section.startPoint
      const next = points[Math.floor((points.length - 1) / 2) + 1] ?? section.endPoint
      return [{ edge, path: `M${points.map(p => `${p.x} ${p.y}`).join('L')}`, x: (middle.x + next.x) / 2, y: (middle.y + next.y) / 2 }]
    }),
  }
}

export function Flow({ node }: { readonly node: NodeDetail }): JSX.Element {
  const say = useSay()
  const session = useWorkbench(s => s.session?.session)
  const unit = useWorkbench(s => s.session?.unit ?? 0)
  const here = useWorkbench(s => stamp(s, 'dumps', 'graph', 'verdicts'))
  const [wanted, setSide] = useState<Side>('debug')
  const [hops, setHops] = useState<number>(1)
  const side: Side = node.at[wanted] === undefined ? (wanted === 'debug' ? 'bench' : 'debug') : wanted
  const name = node.at[side] ?? nodeName(node.at)
  const answer = useQuery({
    key: session === undefined ? null : ['flow', here, side, name, hops],
    load: async signal => {
      const drawing = await engine.flow({ session: session as NonNullable<typeof session>, unit, side, node: name, hops, most }, signal)
      return { drawing, placed: await layOut(drawing) }
    },
    keep: true,
  })
  const value = valueOf(answer)
  return (
    <div className="column flow" data-testid="flow">
      <div className="row flow-head">
        {(['debug', 'bench'] as const).map(s => <Toggle key={s} className="chip" on={s === side} disabled={node.at[s] === undefined} onChange={() => setSide(s)}>{say(`side.${s}`)}</Toggle>)}
        <span className="grow" />
        <span className="small dim">{say('flow.reach')}</span>
        {reaches.map(reach => <Toggle key={reach} className="chip" on={reach === hops} onChange={() => setHops(reach)}>{reach}</Toggle>)}
      </div>
      {answer.is === 'failed' && !value ? <Failed problem={answer.problem} /> : !value ? <Skeleton rows={6} /> : value.drawing.edges.length === 0
        ? <Empty icon="link" title={say('flow.none')}>{say('flow.none.what')}</Empty>
        : <Drawing placed={value.placed} side={side} />}
      {value?.drawing.cut ? <p className="small faint">{say('flow.cut', { most })}</p> : null}
      <p className="small faint">{say('flow.inferred')}</p>
    </div>
  )
}

function Drawing({ placed, side }: { readonly placed: Placed; readonly side: Side }): JSX.Element {
  const say = useSay()
  const go = (id: string): void => select(side === 'debug' ? { debug: id } : { bench: id }, 'inspector')
  return (
    <div className="flow-scroll">
      <svg width={placed.width + 16} height={placed.height + 16} role="group" aria-label={say('inspector.flow')}>
        <g transform="translate(8 8)">
          {placed.lines.map(({ edge, path, x, y }, i) => (
            <g key={`${edge.item} ${edge.input}`} className={`flow-edge ${edge.sure ? '' : 'unsure'}`}>
              <path d={path} />
              {placed.lines.findIndex(other => other.edge.from === edge.from && other.edge.to === edge.to && other.edge.shape === edge.shape) === i ? <text x={x + 4} y={y + 3}>{edge.shape}</text> : null}
              <title>{`${edge.item} → ${edge.input}\n${say(edge.sure ? 'inspector.inferred' : 'inspector.inferred-unsure', { by: edge.by })}`}</title>
            </g>
          ))}
          {placed.boxes.map(box => (
            <g key={box.id} className={`flow-box b${box.bucket} ${box.inside ? 'inside' : ''}`} transform={`translate(${box.x} ${box.y})`} role="button" tabIndex={0} aria-label={box.id}
              onClick={() => go(box.id)} onKeyDown={e => { if (e.key === 'Enter') go(box.id) }}>
              <rect width={box.w} height={boxHeight} rx={boxHeight / 2} />
              <text x={box.w / 2} y={16}>{box.text}</text>
              <title>{box.id}</title>
            </g>
          ))}
        </g>
      </svg>
    </div>
  )
}
