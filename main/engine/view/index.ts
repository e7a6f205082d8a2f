// What the window sees of a comparison: filtered, sorted rows, a node, a tensor.
export { floatColumn, intColumn, recordBatch, textColumn, type ArrowColumn } from './arrow.ts'
export { opsBelow } from './filter.ts'
export { lookupIn, type Lookup } from './lookup.ts'
export { nodeDetail, type NodeContext } from './node.ts'
export { positionOf, rowIndex } from './rows.ts'
export { closeness, closenessTask } from './closeness.ts'
