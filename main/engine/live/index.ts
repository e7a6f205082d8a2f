// A run that is being dumped, looked at from outside.
export { Run, type RunSettings } from './run.ts'
export { usualQuietMs, watchRun, type Watch } from './watch.ts'
