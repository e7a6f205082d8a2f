// `tf`: what can be typed behind `plumbline tf FOLDER`, and at its prompt; one folder for each command.
import type { Verb } from '../verb.ts'
import { tfAc } from './ac/index.ts'
import { tfCp } from './cp/index.ts'
import { tfDc } from './dc/index.ts'
import { tfGraph } from './graph/index.ts'
import { tfLs } from './ls/index.ts'
import { tfNi } from './ni/index.ts'
import { tfPrompt } from './prompt/index.ts'
import { tfPt } from './pt/index.ts'
import { tfRun } from './run/index.ts'
import { tfSnippets } from './snippets/index.ts'
import { tfVc } from './vc/index.ts'
import { tfVcs } from './vcs/index.ts'

export const tf: readonly Verb[] = [
  tfPrompt,
  tfAc,
  tfCp,
  tfDc,
  tfGraph,
  tfLs,
  tfNi,
  tfPt,
  tfRun,
  tfSnippets,
  tfVc,
  tfVcs,
]
