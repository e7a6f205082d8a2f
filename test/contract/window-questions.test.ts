// What the window asks again when something has changed: a question that is worded as before is answered from memory.
import { createElement, Fragment, type ComponentType, type ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultOptions } from '../../main/engine/doors/window/index.ts'
import type { CompareOptions, NodeDetail } from '../../preload/contract/engine.ts'
import type { Query } from '../../renderer/state/query.ts'
import { dumpFolder } from '../support/dumps.ts'
import { never } from '../support/watched.ts'
import { openWindow, type Window } from '../support/window.ts'

let window: Window
beforeEach(async () => {
  window = await openWindow()
})
afterEach(async () => {
  await window.sessions.closeSession()
  vi.resetModules()
  vi.unstubAllGlobals()
})

const unit = (unit: number) => ({ session: window.workbench.now().session!.session, unit })

async function open(debug: string, bench: string): Promise<void> {
  await window.sessions.openPaths([dumpFolder(debug), dumpFolder(bench)])
  await window.settled()
}

type Keys = readonly Query<unknown>['key'][]

/** Keys that are worded as before. */
const same = (before: Keys, after: Keys): Keys =>
  after.filter((key, i) => JSON.stringify(key) === JSON.stringify(before[i]))

const call = 'Functional.conv2d.1.forward'
const changes: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['a match by hand', () => window.engine.match({ ...unit(0), debug: call, bench: '', descendants: false })],
  [
    'another mapping',
    () =>
      window.sessions.setOptions({
        mapping: { data: `${call}.output.0: Functional.conv2d.0.forward.output.0` },
      }),
  ],
  ['another rule set', () => window.sessions.setOptions({ rules: 'msprobe-26' })],
]

async function openTensors(): Promise<void> {
  await open('pt_lenet_w_conv2_tensor_mix', 'pt_lenet_none_tensor_mix')
}

describe('the numbers of a tensor pair', () => {
  const asked = async (node: NodeDetail, row: number): Promise<Keys> =>
    [
      ...(await window.questions(
        async () => (await import('../../renderer/panels/inspector/values.tsx')).Values,
        { node, row },
      )),
      ...(await window.questions(
        async () => (await import('../../renderer/panels/inspector/closeness.tsx')).Closeness,
        { row, of: 'output.0' },
      )),
    ]
      .map(({ key }) => key)
      // What is not wanted yet has no key.
      .filter(key => key !== null)

  // The same row may be another pair of tensors now.
  it.each(changes)('are asked for again after %s', async (_, change) => {
    await openTensors()
    const node = await window.engine.node({ ...unit(0), at: { debug: call } })
    const row = node.items.find(item => item.part === 'output')?.row ?? -1
    const before = await asked(node, row)
    await change()
    await window.settled()
    expect(before.map(key => key?.[0])).toEqual([
      'tensor-about',
      'tensor-kind',
      'tensor-proposals',
      'closeness',
    ])
    expect(window.workbench.now().problems).toEqual([])
    expect(same(before, await asked(node, row))).toEqual([])
  })
})

describe('what a search found', () => {
  const asked = async (): Promise<Keys> =>
    (await window.questions(async () => (await import('../../renderer/panels/nodes/index.tsx')).default, {}))
      .map(({ key }) => key)
      .filter(key => key?.[0] === 'search')

  // Each hit has the colour of its node, which is another one now.
  it.each(changes)('is asked for again after %s', async (_, change) => {
    // The tab of the hits need not be the one on top.
    vi.doMock('../../renderer/ui/tabs.tsx', () => ({
      Tabs: ({ rows }: { readonly rows: readonly { readonly show: ReactNode }[] }) =>
        createElement(Fragment, null, ...rows.map(({ show }) => show)),
    }))
    await openTensors()
    window.workbench.set({ find: { text: 'conv', at: -1 } })
    const before = await asked()
    await change()
    await window.settled()
    expect(before).toHaveLength(1)
    expect(same(before, await asked())).toEqual([])
  })
})

describe('a rank that was looked at before the options changed', () => {
  const ofPanel = (load: () => Promise<{ readonly default: ComponentType }>) => () =>
    window.questions(async () => (await load()).default, {})
  const strict = { thresholds: { ...defaultOptions.thresholds, tolerance: 0.5 } }
  const shown: readonly (readonly [
    string,
    Partial<CompareOptions>,
    () => Promise<readonly Query<unknown>[]>,
  ])[] = [
    ['rows', strict, ofPanel(() => import('../../renderer/panels/grid/index.tsx'))],
    ['colours', { colours: 'overflow' }, ofPanel(() => import('../../renderer/panels/graph/index.tsx'))],
    ['findings', strict, ofPanel(() => import('../../renderer/panels/advisor/index.tsx'))],
    [
      'node',
      { rules: 'msprobe-26' },
      async () => [
        (await import('../../renderer/state/detail.ts')).detailOf(window.workbench.now(), {
          debug: 'Functional.linear.2.forward',
        }),
      ],
    ],
  ]

  // Versions that begin anew with each rank make a new question look like one that was answered.
  it.each(shown)('shows its %s as they are now', async (_, change, questions) => {
    // Drawing needs a browser.
    vi.doMock('../../renderer/panels/graph/structure.tsx', () => ({ Structure: () => null }))
    await open('pt_tp_4ranks_rank2_w', 'pt_tp_4ranks_none')
    const look = async (to: number): Promise<readonly Query<unknown>[]> => {
      await window.sessions.chooseUnit(to)
      await window.settled()
      const asked = await questions()
      for (const question of asked) window.query.askAhead(question)
      await window.settled()
      return asked
    }
    await look(2)
    await look(0)
    await window.sessions.setOptions(change)
    await window.settled()
    const asked = await look(2)
    const fresh = await Promise.all(asked.map(({ load }) => load(never)))
    expect(fresh.length).toBeGreaterThan(0)
    expect(asked.map(question => withoutId(window.shown(question)))).toEqual(fresh.map(withoutId))
  })

  /** Each order of rows has a number of its own. */
  const withoutId = (answer: unknown): unknown => ({ ...(answer as object), view: null })
})
