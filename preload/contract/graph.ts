// What the window may ask of the engine: the graphs.
import type {
  UnitAt,
  FlowDrawing,
  Legend,
  NodeList,
  NodePage,
  NodeRef,
  Problem,
  Scene,
  SceneSides,
  Side,
  Strip,
  ViewId,
  Walked,
} from '../../main/engine/model/shared.ts'

interface SceneQuery extends UnitAt, SceneSides {
  /** Dim what the grid filters out. */
  readonly dimExcept?: ViewId
}

export interface GraphApi {
  scene(q: SceneQuery, s: AbortSignal): Promise<Scene>
  /** Where the box of a node is for a set of opened nodes; null while something around it is closed. */
  locate(
    q: UnitAt & {
      readonly side: Side
      readonly open: readonly string[]
      readonly node: string
      readonly plumbing?: boolean
    },
    s: AbortSignal,
  ): Promise<{ readonly x: number; readonly y: number; readonly w: number; readonly h: number } | null>
  /** `noted`: nodes whose places are asked for too. */
  strip(
    q: UnitAt & { readonly slots: number; readonly noted?: readonly NodeRef[] },
    s: AbortSignal,
  ): Promise<Strip>
  legend(q: UnitAt, s: AbortSignal): Promise<Legend>
  /** Ancestors that must be open to see a node, per side, and its counterpart. */
  reveal(
    q: UnitAt & { readonly at: NodeRef },
    s: AbortSignal,
  ): Promise<{ readonly at: NodeRef; readonly debug: readonly string[]; readonly bench: readonly string[] }>
  /**
   * The origin, or the next node with a row that differs, and that row; calls come before the modules around
   * them. `row`: a row of `from` that the walk has been to; null where it was come to in another way: a module is
   * entered first.
   */
  walk(
    q: UnitAt & {
      readonly from: NodeRef | null
      readonly to: 'first' | 'next' | 'previous'
      readonly row: number | null
    },
    s: AbortSignal,
  ): Promise<Walked | null>
  /** A step in the hierarchy. */
  stroll(
    q: UnitAt & { readonly from: NodeRef | null; readonly to: 'parent' | 'child' | 'above' | 'below' },
    s: AbortSignal,
  ): Promise<NodeRef | null>
  /**
   * What to open below a node (the root when null): down to a depth below it, everything, or the way to each
   * node that differs. At most 2,000 ids a side.
   */
  expand(
    q: UnitAt & { readonly at: NodeRef | null; readonly to: number | 'all' | 'differing' },
    s: AbortSignal,
  ): Promise<{ readonly debug: readonly string[]; readonly bench: readonly string[] }>
  /** The node at a fraction of one side's execution order; null when the side is empty. */
  nodeAt(
    q: UnitAt & { readonly side: Side; readonly position: number },
    s: AbortSignal,
  ): Promise<NodeRef | null>
  /** The nodes of a colour of the legend, one at a time and round in a circle. */
  ofBucket(
    q: UnitAt & { readonly bucket: number; readonly at: number },
    s: AbortSignal,
  ): Promise<{ readonly total: number; readonly at: number; readonly node: NodeRef | null }>
  list(
    q: UnitAt & {
      readonly list: NodeList
      readonly first: number
      readonly count: number
      /** Only nodes that have no partner for this reason. */
      readonly reason?: Problem['code'] | null
    },
    s: AbortSignal,
  ): Promise<NodePage>
  /**
   * Calls around a node, or inside a module, with the tensors that go between them; at most `most` calls. Where
   * no node is named, the way that the error takes from where it enters.
   */
  flow(
    q: UnitAt & { readonly side: Side; readonly node: string; readonly hops: number; readonly most: number },
    s: AbortSignal,
  ): Promise<FlowDrawing>
}
