// The nouns of Plumbline: ids, sides, levels, verdicts. Types and constants only.

declare const brand: unique symbol
export type Brand<T, K extends string> = T & { readonly [brand]: K }

export type SessionId = Brand<number, 'SessionId'>
export type ViewId = Brand<number, 'ViewId'>
/** Row in the op table of one dump. */
export type OpRow = Brand<number, 'OpRow'>
/** Row in the item table of one dump: one tensor or scalar of one op. */
export type ItemRow = Brand<number, 'ItemRow'>
/** Row of a comparison. */
export type PairRow = Brand<number, 'PairRow'>
/** Node of one graph. */
export type GraphNode = Brand<number, 'GraphNode'>

export type Side = 'debug' | 'bench'
export const sides = ['debug', 'bench'] as const

export type Framework = 'mindspore' | 'pytorch' | 'mindtorch'
export type Level = 'L0' | 'L1' | 'L2' | 'mix' | 'debug'
/** What the two sides can be compared by. */
export type Mode = 'tensor' | 'statistics' | 'md5'
export type Rules = 'plumbline' | 'msprobe-1.2.2' | 'msprobe-26'
export const ruleSets = ['plumbline', 'msprobe-1.2.2', 'msprobe-26'] as const satisfies readonly Rules[]

/** Part of an op that an item belongs to. `input` includes keyword arguments. */
export const State = { input: 0, output: 1, parameters: 2, parametersGrad: 3 } as const
export type State = (typeof State)[keyof typeof State]
export const stateNames = ['input', 'output', 'parameters', 'parameters_grad'] as const

/** How the value of a cell is to be read: kinds of Python values that JSON can carry. */
export const Kind = {
  /** The field does not exist. */
  absent: 0,
  /** JSON null, Python None. */
  none: 1,
  /** Integer; `value` is exact up to 2^53. */
  int: 2,
  /** Float, NaN and infinities included. */
  float: 3,
  /** Boolean; `value` is 0 or 1. */
  bool: 4,
  /** Text; `value` is a code into the text pool. */
  text: 5,
  /** Integer beyond 2^53; `value` is the code of its digits in the text pool. */
  bigint: 6,
} as const
export type Kind = (typeof Kind)[keyof typeof Kind]

/** Verdict of one compared row. `unknown` is never counted as `agree`. */
export const Verdict = { unknown: 0, agree: 1, disagree: 2 } as const
export type Verdict = (typeof Verdict)[keyof typeof Verdict]

/** Row colours of msprobe's highlight. */
export const Fill = { none: 0, yellow: 1, red: 2 } as const
export type Fill = (typeof Fill)[keyof typeof Fill]

/** The four statistics of a tensor, in msprobe's order. */
export const stats = ['max', 'min', 'mean', 'norm'] as const
export type Stat = (typeof stats)[number]
