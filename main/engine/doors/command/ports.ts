// What opening needs in a command: no cache, and nobody who looks at what is there before the end.
import { type OpenPorts, Shared } from '../../formats/index.ts'
import type { Rules } from '../../model/index.ts'
import type { Tools } from './tools.ts'

export const portsOf = ({ files, pool }: Pick<Tools, 'files' | 'pool'>, rules: Rules): OpenPorts => ({
  files,
  threads: pool,
  cacheDir: '',
  rules,
  shared: new Shared(),
  partial: false,
})
