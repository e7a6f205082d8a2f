// What planning and opening need, for tests.
import { type OpenPorts, Shared } from '../../main/engine/formats/index.ts'
import type { Files } from '../../main/engine/io/index.ts'
import type { Rules } from '../../main/engine/model/index.ts'

export const openPorts = (files: Files, rules: Rules = 'plumbline'): OpenPorts => ({
  files,
  cacheDir: '',
  rules,
  shared: new Shared(),
  threads: null,
  partial: false,
})
