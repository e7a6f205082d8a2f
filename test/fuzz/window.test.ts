// What a window opens, damaged: every panel is answered or refused, and a study that opened can be closed again. Mapping
// texts while they are typed.
// A failure names its seed.
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { collectModes, toolVersions } from '../../preload/contract/engine.ts'
import type { MappingChange, MappingKind, SessionInfo } from '../../preload/contract/engine.ts'
import { problemText } from '../../preload/contract/words/problem.ts'
import type { Problem } from '../../main/engine/model/shared.ts'
import { answered, askAll } from '../support/ask-all.ts'
import { damage } from '../support/damage.ts'
import { dumpFolder } from '../support/dumps.ts'
import { cli } from '../support/cli.ts'
import { firstSeed, fuzzRuns, seedsOf } from '../support/fuzz.ts'
import { random } from '../support/random.ts'
import { isFilled } from '../support/said.ts'
import { Laid, specimens } from '../support/specimens.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { allDone, never, turn, watchedEngine, type Watched } from '../support/watched.ts'

const rounds = fuzzRuns(3, 40)
const tally = { opened: 0, refused: 0, failed: 0 }
afterAll(() => console.log(`fuzzed: ${JSON.stringify(tally)}`))

/** In both languages, with all its facts. */
function sayable(problem: Problem): void {
  expect(problem.code).not.toBe('internal')
  for (const language of ['en', 'zh'] as const)
    expect(isFilled(problemText(language, problem)), problem.code).toBe(true)
}

async function settled({ engine }: Watched, info: SessionInfo): Promise<SessionInfo> {
  const { session } = info
  for (;;) {
    const now = await engine.session({ session }, never)
    if (now.units.every(({ state }) => state === 'done' || state === 'failed')) return now
    await turn()
  }
}

async function look(paths: readonly string[]): Promise<void> {
  const watched = watchedEngine()
  const { engine } = watched
  const opened = await engine.open({ paths }, never)
  if (!opened.ok) {
    sayable(opened.problem)
    tally.refused++
    return
  }
  const info = await settled(watched, opened.value)
  tally[info.units.every(({ state }) => state === 'failed') ? 'failed' : 'opened']++
  await askAll(engine, info)
  for (const problem of info.problems) sayable(problem)
  for (const { failure } of info.units) if (failure) sayable(failure)
  for (const event of watched.events) if (event.is === 'problem') sayable(event.problem)
  await engine.close({ session: info.session }, never)
}

test.each(specimens.filter(({ drop }) => drop))('$name', async specimen => {
  const laid = new Laid(temporaryFolder(), specimen)
  if (specimen.first) {
    expect((await cli(laid.words(specimen.first))).code).toBe(0)
    laid.adopt()
  }
  const paths = laid.words(specimen.drop ?? '')
  const { opened } = tally
  await look(paths)
  expect(tally.opened).toBe(opened + 1)
  for (let seed = firstSeed; seed < firstSeed + rounds; seed++) {
    const next = random(seed * 104_729 + specimen.name.length)
    const some = laid.files.filter(file => next() < 2 / laid.files.length && laid.bytes(file).length > 0)
    const spoilt = some.length > 0 ? some.slice(0, 2) : laid.files.slice(0, 1)
    for (const file of spoilt) laid.spoil(file, damage(path.basename(file), laid.bytes(file), seed))
    try {
      await look(paths)
    } catch (error) {
      const names = spoilt.map(file => path.relative(laid.root, file)).join(', ')
      throw new Error(`seed ${seed}: ${names}`, { cause: error })
    }
    for (const file of spoilt) laid.restore(file)
  }
})

const mappings: Readonly<Record<MappingKind, string>> = {
  layer: 'TopLayer:\n  network: module\n\nLeNet:\n  conv1: conv1 # one\n  "fc1": fc1\n',
  cell: 'Cell.network.conv1.Conv2d: Module.conv1.Conv2d\nCell.network.fc1.Dense.forward.0: Module.fc1.Linear.forward.0\n',
  data: 'Mint.relu.0.forward.input.0: Torch.relu.0.forward.input.0\n? a\n: b\n',
  api: '- ms_api: mint.abs\n  pt_api: Torch.abs\n  ms_args: [0, 1]\n  pt_args: [0, 1]\n  ms_output: [0]\n  pt_output: [0]\n',
}

test('mapping texts while they are edited', async () => {
  const { engine, open, until } = watchedEngine()
  const { session } = await open(
    ['ms_lenet_none_statistics_L0', 'pt_lenet_none_statistics_L0'].map(dumpFolder),
  )
  await until(session, allDone)
  const kinds = Object.keys(mappings) as MappingKind[]
  for (const seed of seedsOf(120)) {
    const kind = kinds[seed % kinds.length]!
    const next = random(seed)
    const text = new TextDecoder().decode(damage('m.yaml', new TextEncoder().encode(mappings[kind]), seed))
    const at = Math.floor(next() * (text.length + 1))
    const asked = { session, unit: 0 as never, kind, text }
    const names = { from: `a${seed}`, to: next() < 0.5 ? 'b: [' : '\u0007"' }
    const change: MappingChange =
      kind === 'api'
        ? { kind, ...names, args: [['0', '1']], outputs: [] }
        : kind === 'layer'
          ? { kind, ...names, scope: 'LeNet' }
          : { kind, ...names }
    try {
      await answered(engine.mappingCheck(asked, never))
      await answered(engine.mappingEntry({ ...asked, at }, never))
      await answered(engine.mappingComplete({ ...asked, at }, never))
      await answered(
        engine.mappingNames(
          { ...asked, side: 'debug', find: 'c', show: 'all', open: [], first: 0, count: 20 },
          never,
        ),
      )
      await answered(engine.mappingMeeting({ ...asked, debug: 'Cell.conv1.Conv2d', bench: '' }, never))
      await answered(engine.mappingPreview({ ...asked, saved: mappings[kind] }, never))
      await answered(engine.mappingBuiltIn(asked, never))
      await answered(engine.mappingSaved({ kind, text }, never))
      await answered(engine.mappingEdit({ kind, text, set: [change], remove: [] }, never))
      await answered(engine.mappingEdit({ kind, text, set: [], remove: [change] }, never))
      if (seed % 5 === 0) await answered(engine.mappingPropose({ ...asked, limit: 20 }, never))
    } catch (error) {
      throw new Error(`seed ${seed} (${kind})`, { cause: error })
    }
  }
  await engine.close({ session }, never)
})

test('a config.json while it is edited', async () => {
  const { engine } = watchedEngine()
  const whole = specimens.flatMap(({ parts: { c } }) => (typeof c === 'object' ? Object.values(c) : []))
  const encoder = new TextEncoder()
  for (const seed of seedsOf(150)) {
    const before = whole[seed % whole.length]!
    const text = new TextDecoder().decode(damage('config.json', encoder.encode(before), seed))
    const { mode, version } = {
      mode: collectModes[seed % collectModes.length]!,
      version: toolVersions[seed % toolVersions.length]!,
    }
    const changes = [
      { path: 'statistics.list', value: ['\u0007"'] },
      { path: 'task' },
      { path: 'rank', value: [1] },
    ]
    try {
      await answered(engine.collectView({ at: null, text, target: { mode, version }, side: 'debug' }, never))
      await answered(engine.collectEdit({ text, changes }, never))
      await answered(engine.collectSwitch({ text, on: seed % 2 === 0 }, never))
      await answered(engine.collectDiff({ before, after: text }, never))
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error })
    }
  }
})
