// A pre-check on a device as it is asked for, and the command lines, configuration and checklist for it.
import type { precheckChecks, PrecheckTool } from './names.ts'

export interface PrecheckOrder {
  readonly tool: PrecheckTool
  /** The dump.json, as it was typed. */
  readonly file: string
  readonly output?: string
  readonly savesErrors: boolean
  readonly jit: boolean
  readonly filters: boolean
  readonly devices: readonly number[]
  readonly processes?: number
  /** A result to go on with. */
  readonly resume?: string
  readonly white: readonly string[]
  readonly black: readonly string[]
}

/** What has to hold so that the answer says something; null where the dump does not tell. */
export interface PrecheckCheck {
  readonly id: (typeof precheckChecks)[number]
  readonly holds: boolean | null
}

export interface PrecheckPlan {
  readonly commands: { readonly npu: string; readonly gpu: string | null; readonly compare: string | null }
  /** Null where nothing is to be configured. */
  readonly config: Readonly<Record<string, unknown>> | null
  readonly checks: readonly PrecheckCheck[]
}
