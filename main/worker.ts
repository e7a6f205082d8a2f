// Entry of the worker threads, which read what strangers wrote: no network before the first task.
import './engine/threads/worker.ts'
import { sealNode } from './sealed.ts'

sealNode({ programs: false })
