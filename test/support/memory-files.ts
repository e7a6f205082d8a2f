// The Files port over a map of texts or bytes.
export { memoryFiles } from '../../main/engine/io/memory.ts'
