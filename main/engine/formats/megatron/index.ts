// Checkpoints of Megatron, whatever ranks saved them.
export { type Parameter, readCheckpoint } from './checkpoint.ts'
