// Ranks held against each other: copies that are none, and forwards that were computed twice.
export { replicasOf } from './answer.ts'
export type { RankValues } from './record.ts'
export { readValues } from './step.ts'
export { replicasTask } from './task.ts'
export { givenLayout } from './topology.ts'
