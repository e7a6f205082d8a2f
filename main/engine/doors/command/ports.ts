// What opening needs in a command: no cache, and nobody who looks at what is there before the end.
import { type OpenPorts, Shared } from '../../formats/index.ts'
import type { Rules } from '../../model/index.ts'
import type { Tools } from './tools.ts'

export const portsOf = ({ files }: Pick<Tools, 'files'>, rules: Rules): OpenPorts => ({
  files,
  cacheDir: '',
  rules,
  shared: new Shared(),
  partial: false,
})
