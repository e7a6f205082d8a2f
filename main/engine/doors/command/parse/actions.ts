// What can be typed behind `plumbline parse`; one folder for each action.
import type { Verb } from '../verb.ts'
import { parseCad } from './cad/index.ts'
import { parseCn } from './cn/index.ts'
import { parseDc } from './dc/index.ts'
import { parsePk } from './pk/index.ts'
import { parsePt } from './pt/index.ts'
import { parseVc } from './vc/index.ts'

export const parseActions: readonly Verb[] = [parseCad, parseCn, parseDc, parsePk, parsePt, parseVc]
