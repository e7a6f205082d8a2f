// What stands in a cell of a column, what it says on hover, and how it looks.
import {
  recomputedStates,
  rowStates,
  type RecomputedState,
  type RowStateName,
} from '../../../preload/contract/engine.ts'
import { once } from '../../state/format.ts'
import type { PlainKey } from '../../../preload/contract/words/index.ts'
import type { ShownColumn } from './columns.ts'
import { stateOf, type RowSource } from './source.ts'

export interface CellColumn {
  readonly column: ShownColumn
  text(source: RowSource, i: number): string
  /** A name, which is cut to the room that it has. */
  readonly isName: boolean
  exact(source: RowSource, i: number): string
  /** Class names of which a cell may carry one, and which one this cell carries. */
  readonly looks: readonly string[]
  lookOf(source: RowSource, i: number): string
}

const isSame = (source: RowSource, i: number): boolean =>
  source.shown(i, 'benchName') === source.shown(i, 'debugName')
const shortDtype = (dtype: string): string => dtype.replace(/^(?:torch|mindspore)\./, '')
const stateLook = (state: RowStateName): string => `is-${state}`

/** Colour is for what is wrong. */
const recomputedLook = (state: RecomputedState): string => `as-${state}`

type Spelling = Pick<CellColumn, 'text'> & Partial<CellColumn>

/** Texts in the language of the window: our own, and those of msprobe. */
export interface CellWords {
  say(key: PlainKey): string
  told(text: string): string
  /** A name as far as it tells something. */
  name(text: string): string
}

function spelling({ id, kind }: ShownColumn, { say, told, name }: CellWords): Spelling {
  const message = (source: RowSource, i: number): string => source.exact(i, 'message')
  if (kind === 'row') return { text: (source, i) => String(source.number(i, 'row') + 1), exact: message }
  if (kind === 'state')
    return {
      text: (source, i) => say(`state.${stateOf(source, i)}`),
      exact: message,
      looks: rowStates.map(stateLook),
      lookOf: (source, i) => stateLook(stateOf(source, i)),
    }
  if (kind === 'recomputed') {
    const stateIn = (source: RowSource, i: number): RecomputedState | undefined =>
      recomputedStates[source.number(i, id) - 1]
    const text: CellColumn['text'] = (source, i) => {
      const state = stateIn(source, i)
      return state ? say(`recompute.state.${state}`) : ''
    }
    return {
      text,
      exact: text,
      looks: recomputedStates.map(recomputedLook),
      lookOf: (source, i) => {
        const state = stateIn(source, i)
        return state ? recomputedLook(state) : ''
      },
    }
  }
  if (id === 'benchName')
    return {
      text: (source, i) => (isSame(source, i) ? '=' : name(source.shown(i, id))),
      isName: true,
      looks: ['is-same'],
      lookOf: (source, i) => (isSame(source, i) ? 'is-same' : ''),
    }
  if (kind === 'name') return { text: (source, i) => name(source.shown(i, id)), isName: true }
  if (id.endsWith('Dtype')) return { text: (source, i) => shortDtype(source.shown(i, id)) }
  if (id === 'message') return { text: (source, i) => told(once(source.shown(i, id))) }
  return { text: (source, i) => told(source.shown(i, id)) }
}

export const cellColumn = (column: ShownColumn, words: CellWords): CellColumn => ({
  column,
  exact: (source, i) => source.exact(i, column.id),
  isName: false,
  looks: [],
  lookOf: () => '',
  ...spelling(column, words),
})
