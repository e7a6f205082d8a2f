// What a pool and its threads say to each other. Every order has an id and is answered once; it may tell
// things before that.
import type { Problem } from '../model/index.ts'

export interface Order {
  readonly id: number
  readonly task: string
  readonly arg: unknown
  /** One Int32 that becomes 1 when the task shall stop. */
  readonly cancel: SharedArrayBuffer
  /** One Int32: how many orders wait to be run between the steps of another. */
  readonly waiting: SharedArrayBuffer
  /** It is one of them. */
  readonly isBetween: boolean
}

export type Answer =
  | { readonly id: number; readonly is: 'told'; readonly message: unknown }
  | { readonly id: number; readonly is: 'done'; readonly value: unknown }
  | { readonly id: number; readonly is: 'cancelled' }
  | { readonly id: number; readonly is: 'problem'; readonly problem: Problem }
  | {
      readonly id: number
      readonly is: 'bug'
      readonly name: string
      readonly message: string
      readonly stack: string
    }

export function bugOf(answer: {
  readonly name: string
  readonly message: string
  readonly stack: string
}): Error {
  const error = new Error(answer.message)
  error.name = answer.name
  if (answer.stack) error.stack = answer.stack
  return error
}
