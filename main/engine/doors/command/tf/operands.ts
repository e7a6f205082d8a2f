// Operands that commands of `tf` share: the folder, and what stands behind it.
import type { Operands } from '../verb.ts'

/** The folder alone. */
export const folder: Operands = { shown: null, counts: [1], wrong: 'cli.usage.tf' }

/** The folder and the name of one thing: an operator, a file, a command. */
export const folderAnd = (shown: NonNullable<Operands['shown']>): Operands => ({
  shown,
  counts: [2],
  wrong: 'cli.usage.tfName',
})
