// Layers for a piece of dataflow: positions by elk in a worker, edges with the shapes of what they carry.
import ELK, { type ElkExtendedEdge, type ElkNode } from 'elkjs/lib/elk-api.js'
import elkUrl from 'elkjs/lib/elk-worker.min.js?url'
import type { FlowDrawing, FlowEdge } from '../../../preload/contract/engine.ts'

const letter = 6.6
export const boxHeight = 24
const longest = 36

export interface FlowBox {
  readonly id: string
  readonly text: string
  readonly x: number
  readonly y: number
  readonly w: number
  readonly bucket: number
  readonly origin: boolean
  readonly inside: boolean
  readonly backward: boolean
}

interface FlowLine {
  readonly edge: FlowEdge
  /** How many tensors of this shape go the same way. */
  readonly count: number
  readonly path: string
  readonly x: number
  readonly y: number
}

export interface Layered {
  readonly width: number
  readonly height: number
  readonly boxes: readonly FlowBox[]
  readonly lines: readonly FlowLine[]
}

let elk: InstanceType<typeof ELK> | null = null
/** One worker for as long as the window lives: starting it costs more than most layouts. */
const layouter = (): InstanceType<typeof ELK> =>
  (elk ??= new ELK({ workerFactory: () => new Worker(elkUrl) }))

const options = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.edgeRouting': 'POLYLINE',
  'elk.layered.spacing.nodeNodeBetweenLayers': '42',
  'elk.spacing.nodeNode': '18',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.separateConnectedComponents': 'true',
}

const short = (text: string): string => (text.length > longest ? `…${text.slice(1 - longest)}` : text)

export async function layered({ nodes, edges }: Pick<FlowDrawing, 'nodes' | 'edges'>): Promise<Layered> {
  const texts = new Map(
    nodes.map(node => [
      node.id,
      `${node.backward ? '◂' : '▸'} ${short(node.label.replace(/\.(forward|backward)(\.\d+)?$/, ''))}`,
    ]),
  )
  const bundles = bundled(edges)
  const graph: ElkNode = {
    id: 'root',
    layoutOptions: options,
    children: nodes.map(node => ({
      id: node.id,
      width: Math.ceil((texts.get(node.id) ?? '').length * letter) + 18,
      height: boxHeight,
    })),
    edges: bundles.map(({ edge }, i): ElkExtendedEdge => ({
      id: String(i),
      sources: [edge.from],
      targets: [edge.to],
    })),
  }
  const placed = await layouter().layout(graph)
  const byId = new Map(nodes.map(node => [node.id, node]))
  return {
    width: placed.width ?? 0,
    height: placed.height ?? 0,
    boxes: (placed.children ?? []).map(({ id, x = 0, y = 0, width = 0 }) => {
      const node = byId.get(id)
      return {
        id,
        text: texts.get(id) ?? '',
        x,
        y,
        w: width,
        bucket: node?.bucket ?? -1,
        origin: node?.origin ?? false,
        inside: node?.inside ?? false,
        backward: node?.backward ?? false,
      }
    }),
    lines: (placed.edges ?? []).flatMap(({ id, sections }) => {
      const bundle = bundles[Number(id)]
      const [section] = sections ?? []
      if (!bundle || !section) return []
      const points = [section.startPoint, ...(section.bendPoints ?? []), section.endPoint]
      const at = Math.floor((points.length - 1) / 2)
      const [before, after] = [points[at] ?? section.startPoint, points[at + 1] ?? section.endPoint]
      return [
        {
          ...bundle,
          path: `M${points.map(p => `${p.x} ${p.y}`).join('L')}`,
          x: (before.x + after.x) / 2,
          y: (before.y + after.y) / 2,
        },
      ]
    }),
  }
}

/** Tensors of one shape between the same two calls are one line. */
function bundled(edges: readonly FlowEdge[]): readonly { readonly edge: FlowEdge; readonly count: number }[] {
  const found = new Map<string, { edge: FlowEdge; count: number }>()
  for (const edge of edges) {
    const key = `${edge.from}\n${edge.to}\n${edge.shape}\n${edge.sure}\n${edge.by === 'control'}`
    const known = found.get(key)
    const worst = known && known.edge.bucket >= edge.bucket ? known.edge : edge
    found.set(key, { edge: worst, count: (known?.count ?? 0) + 1 })
  }
  return [...found.values()]
}
