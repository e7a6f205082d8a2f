// The order of events over ranks: what meets, what follows from what, and what cannot be told.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OverflowAnswer } from '../../../main/engine/model/index.ts'
import { answerOf } from '../../../main/engine/overflow/answer.ts'
import { bandOf } from '../../../main/engine/overflow/list.ts'
import { rankOf, recordOfText } from '../../support/ranks.ts'

async function answer(...ranks: readonly (readonly string[] | null)[]): Promise<OverflowAnswer> {
  const records = await Promise.all(ranks.map((lines, rank) => lines && rankOf(rank, lines)))
  return answerOf(records.filter(record => record !== null))
}

const calls = (found: OverflowAnswer['origins']): readonly string[] =>
  found.map(({ ranks, op }) => `${ranks.join('+')} ${op}`)

describe('origins', () => {
  it('are told apart from what follows, across a send', async () => {
    const found = await answer(
      ['add -> !', 'send>1 ! -> !', 'mul -> .'],
      ['add -> .', 'recv<0 -> !', 'mul ! -> !', 'div -> !'],
    )
    expect(calls(found.origins)).toEqual(['0 Torch.add.0.forward'])
    expect(found.origins[0]).toMatchObject({ downstream: 4, reached: [0, 1], confidence: 'direct' })
    expect(found.later).toBe(1)
    expect(found.symptoms).toEqual([])
    expect(found.arrivals).toMatchObject([
      { from: 0, fromOp: 'Distributed.send.0.forward', to: 1, toOp: 'Distributed.recv.0.forward' },
    ])
  })

  it('are several where none follows from another, the earliest first', async () => {
    const found = await answer(
      ['add -> .', 'all_reduce 0,1 -> .', 'mul -> !', 'all_reduce 0,1 ! -> !'],
      ['add -> .', 'all_reduce 0,1 -> .', 'mul -> .', 'all_reduce 0,1 -> !'],
      ['add -> !', 'all_reduce 2,3 ! -> !'],
      ['add -> .', 'all_reduce 2,3 -> !'],
    )
    expect(calls(found.origins)).toEqual(['2 Torch.add.0.forward', '0 Torch.mul.0.forward'])
    expect(found.notes).toEqual([])
  })

  it('may be a collective whose members all give clean values', async () => {
    const found = await answer(['all_reduce -> !', 'mul ! -> !'], ['all_reduce -> !', 'mul ! -> !'])
    expect(calls(found.origins)).toEqual(['0+1 Distributed.all_reduce.0.forward'])
    expect(found.origins[0].downstream).toBe(2)
  })

  it('are not a receive that got what a broadcast gave', async () => {
    const found = await answer(
      ['add -> !', 'broadcast@0 ! -> !'],
      ['add -> .', 'broadcast@0 -> !'],
      ['add -> .', 'broadcast@0 -> !'],
    )
    expect(calls(found.origins)).toEqual(['0 Torch.add.0.forward'])
    expect(found.origins[0].reached).toEqual([0, 1, 2])
  })

  it('are not a buffer that a reduction to another rank used on its way', async () => {
    const found = await answer(
      ['add -> .', 'reduce>0 -> !', 'mul ! -> !'],
      ['add -> .', 'reduce>0 -> !'],
      ['add -> !', 'reduce>0 ! -> !'],
    )
    expect(calls(found.origins)).toEqual(['2 Torch.add.0.forward'])
    expect(found.origins[0].reached).toEqual([0, 1, 2])
  })

  it('reach a rank whose receive was recorded before anything had come', async () => {
    const found = await answer(
      ['add -> !', 'isend>1 ! -> !', 'mul -> .'],
      ['irecv<0 -> .', 'mul ! -> !', 'isend>2 ! -> !'],
      ['irecv<1 -> .', 'mul -> .', 'add ! -> !'],
    )
    expect(calls(found.origins)).toEqual(['0 Torch.add.0.forward'])
    expect(found.origins[0].reached).toEqual([0, 1, 2])
    expect(found.symptoms).toEqual([])
    expect(found.arrivals).toMatchObject([
      { from: 0, to: 1, toOp: 'Distributed.irecv.0.forward' },
      { from: 1, to: 2, toOp: 'Distributed.irecv.0.forward' },
    ])
  })

  it('go through a collective without outputs of its own', async () => {
    const found = await answer(
      ['add -> !', 'all_reduce ! ->', 'mul ! -> !'],
      ['add -> .', 'all_reduce ->', 'mul ! -> !'],
    )
    expect(calls(found.origins)).toEqual(['0 Torch.add.0.forward'])
    expect(found.symptoms).toEqual([])
  })

  it('do not go through a collective of clean values', async () => {
    const found = await answer(
      ['add -> !', 'all_reduce -> .', 'mul -> .'],
      ['add -> .', 'all_reduce -> .', 'mul -> !'],
    )
    expect(calls(found.origins)).toEqual(['0 Torch.add.0.forward', '1 Torch.mul.0.forward'])
  })

  it('are not the modules around a call', async () => {
    const record = await rankOf(0, ['Module.net.Net -> !', 'add -> .', 'mul -> !'], {
      'Module.net.Net.forward.0': null,
      'Torch.add.0.forward': 'Module.net.Net.forward.0',
      'Torch.mul.0.forward': 'Module.net.Net.forward.0',
    })
    expect(calls(answerOf([record]).origins)).toEqual(['0 Torch.mul.0.forward'])
  })

  it('are not the backward call of a bad forward one, nor gradients of parameters', async () => {
    const leaf = (x: string): string =>
      `{"type": "torch.Tensor", "dtype": "torch.float32", "shape": [1], "Max": ${x}, "Min": ${x}, "Mean": ${x}, "Norm": ${x}}`
    const entries = [
      `"Module.fc.Linear.parameters_grad": {"weight": [${leaf('NaN')}]}`,
      `"Torch.add.0.forward": {"input_args": [${leaf('1.0')}], "input_kwargs": {}, "output": [${leaf('1.0')}]}`,
      `"Torch.mul.0.forward": {"input_args": [${leaf('NaN')}], "input_kwargs": {}, "output": [${leaf('NaN')}]}`,
      `"Torch.mul.0.backward": {"input": [${leaf('1.0')}], "output": [${leaf('NaN')}]}`,
    ]
    const text = `{"task": "statistics", "level": "mix", "framework": "pytorch", "data": {${entries.join(', ')}}}`
    const found = answerOf([await recordOfText(0, text)])
    expect(found.origins).toEqual([])
    expect(found.symptoms).toMatchObject([{ op: 'Torch.mul.0.forward', confidence: 'inputs-bad' }])
  })

  it('survive infinities that were asked for', async () => {
    const found = await answer(['masked_fill inf -> !', 'softmax ! -> .', 'mul -> !'])
    expect(calls(found.origins)).toEqual(['0 Torch.mul.0.forward'])
    expect(found.symptoms).toMatchObject([{ op: 'Torch.masked_fill.0.forward', confidence: 'asked' }])
  })
})

describe('bands', () => {
  it('show what was received as passed on, and what enters as such', async () => {
    const found = [
      await rankOf(0, ['add -> !', 'send>1 ! -> !']),
      await rankOf(1, ['recv<0 -> !', 'mul -> .']),
    ]
    expect(found.map((record, rank) => bandOf(record, rank === 0 ? [0] : []))).toEqual(['65', '50'])
  })
})

describe('symptoms', () => {
  it('are first calls whose inputs are bad already', async () => {
    const found = await answer(['add -> .', 'mul ! -> !', 'div ! -> !'])
    expect(found.origins).toEqual([])
    expect(found.symptoms).toMatchObject([
      { op: 'Torch.mul.0.forward', confidence: 'inputs-bad', downstream: 1 },
    ])
  })

  it('are receives of which the sender has no dump', async () => {
    const found = await answer(null, ['recv<0 -> !', 'mul ! -> !'])
    expect(found.origins).toEqual([])
    expect(found.symptoms).toMatchObject([{ rank: 1, confidence: 'partner-missing' }])
    expect(found.notes).toMatchObject([{ note: 'rank-missing', ranks: '0', count: 1 }])
  })

  it('are collectives of which a member has no dump', async () => {
    const found = await answer(['all_reduce 0,1,2 -> !'], ['all_reduce 0,1,2 -> !'], null)
    expect(found.origins).toEqual([])
    expect(found.symptoms).toHaveLength(2)
  })

  it('take the place of origins where inputs were not dumped', async () => {
    const entry = `"Torch.add.0.forward": {"output": [{"type": "torch.Tensor", "dtype": "torch.float32", "shape": [1], "Max": NaN, "Min": NaN, "Mean": NaN, "Norm": NaN}]}`
    const text = `{"task": "statistics", "level": "L1", "framework": "pytorch", "data": {${entry}}}`
    const found = answerOf([await recordOfText(0, text)])
    expect(found.origins).toEqual([])
    expect(found.symptoms).toMatchObject([{ confidence: 'no-inputs' }])
    expect(found.notes).toMatchObject([{ note: 'no-inputs' }])
  })
})

describe('what meets', () => {
  it('is counted, and said where a rank made fewer calls', async () => {
    const found = await answer(
      ['all_reduce -> .', 'all_reduce -> .', 'add -> !'],
      ['all_reduce -> .', 'add -> .'],
    )
    expect(calls(found.origins)).toEqual(['0 Torch.add.0.forward'])
    expect(found.notes).toMatchObject([{ note: 'fewer-calls', count: 1 }])
  })

  it('goes by name where groups have only names', async () => {
    const found = await answer(
      ['add -> !', 'all_reduce "tp" ! -> !'],
      ['add -> .', 'all_reduce "tp" -> !'],
      ['add -> .', 'all_reduce "dp" -> .'],
    )
    expect(calls(found.origins)).toEqual(['0 Torch.add.0.forward'])
    expect(found.origins[0].reached).toEqual([0, 1])
    expect(found.notes).toEqual([])
  })

  it('is given up where calls would wait for each other', async () => {
    const found = await answer(
      ['all_reduce 0,1 -> .', 'all_gather 0,1 -> .', 'add -> !'],
      ['all_gather 0,1 -> .', 'all_reduce 0,1 -> .', 'mul -> .'],
    )
    expect(calls(found.origins)).toEqual(['0 Torch.add.0.forward'])
    expect(found.notes).toMatchObject([{ note: 'deadlocks' }])
  })
})

describe('steps of many ranks', () => {
  const world = 4
  const rankIn = fc.integer({ min: 0, max: world - 1 })
  const event = fc.oneof(
    fc.record({ kind: fc.constant('compute' as const), rank: rankIn, faulty: fc.boolean() }),
    fc.record({
      kind: fc.constantFrom('all_reduce' as const, 'broadcast' as const, 'reduce' as const),
      group: fc.uniqueArray(rankIn, { minLength: 2, maxLength: world }),
    }),
    fc.record({
      kind: fc.constant('send' as const),
      group: fc.uniqueArray(rankIn, { minLength: 2, maxLength: 2 }),
    }),
  )

  /** Plays the events and writes down what each rank would dump, and where something bad enters that nothing came before. */
  function played(events: readonly (typeof event extends fc.Arbitrary<infer E> ? E : never)[]): {
    readonly lines: readonly string[][]
    readonly entered: readonly string[]
  } {
    const lines = Array.from({ length: world }, (): string[] => [])
    const bad = lines.map(() => false)
    const reached = lines.map(() => false)
    const entered: string[] = []
    const mark = (isBad: boolean): string => (isBad ? '!' : '.')
    const put = (rank: number, call: string, input: boolean, output: boolean): void => {
      lines[rank].push(`${call}${input ? ' !' : ''} -> ${mark(output)}`)
      bad[rank] = output
      reached[rank] ||= output
    }
    for (const one of events)
      if (one.kind === 'compute') {
        const { rank, faulty } = one
        const count = lines[rank].filter(line => line.startsWith('add')).length
        if (faulty && !reached[rank]) entered.push(`${rank} Torch.add.${count}.forward`)
        put(rank, 'add', bad[rank], bad[rank] || faulty)
      } else if (one.kind === 'send') {
        const [from, to] = one.group
        put(from, `send>${to}`, bad[from], bad[from])
        put(to, `recv<${from}`, false, bad[from])
      } else {
        const [root] = one.group
        const given = one.kind === 'broadcast' ? bad[root] : one.group.some(rank => bad[rank])
        const had = [...bad]
        for (const rank of one.group) {
          const gives = one.kind !== 'broadcast' || rank === root
          const takes = one.kind !== 'reduce' || rank === root
          const call =
            one.kind === 'broadcast'
              ? `broadcast@${root}`
              : one.kind === 'reduce'
                ? `reduce>${root}`
                : one.kind
          put(
            rank,
            `${call} ${one.group.toSorted().join(',')}`,
            gives && had[rank],
            takes ? given : had[rank],
          )
        }
      }
    return { lines, entered }
  }

  it('name every call where something enters of itself, and no rank that was only given it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 24 }), async events => {
        const { lines, entered } = played(events)
        const found = await answer(...lines)
        expect([...calls(found.origins)].sort()).toEqual([...entered].sort())
        expect(found.symptoms).toEqual([])
        expect(found.notes).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})

describe('odd process groups', () => {
  const call = fc.oneof(
    fc.constantFrom('add -> .', 'add -> !', 'add ! -> !', 'add ! -> .', 'barrier ->'),
    fc
      .tuple(
        fc.constantFrom('all_reduce', 'all_gather', 'reduce_scatter_tensor'),
        fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 4 }),
        fc.boolean(),
        fc.boolean(),
      )
      .map(
        ([api, ranks, input, output]) =>
          `${api} ${ranks.join(',')} ${input ? '!' : ''} -> ${output ? '!' : '.'}`,
      ),
    fc
      .tuple(
        fc.constantFrom('send>', 'recv<', 'isend>', 'irecv<', 'broadcast@', 'gather>', 'scatter@'),
        fc.integer({ min: 0, max: 5 }),
        fc.boolean(),
      )
      .map(([api, other, bad]) => `${api}${other} ${bad ? '!' : ''} -> ${bad ? '!' : '.'}`),
  )
  const step = fc.array(fc.array(call, { maxLength: 12 }), { minLength: 1, maxLength: 4 })

  it('always come to an answer, the same for any order of reading, and name no call twice', async () => {
    await fc.assert(
      fc.asyncProperty(step, async ranks => {
        const records = await Promise.all(ranks.map((lines, rank) => rankOf(rank, lines)))
        const found = answerOf(records)
        const named = [...found.origins, ...found.symptoms].map(({ rank, order }) => `${rank} ${order}`)
        expect(new Set(named).size).toBe(named.length)
        const bad = ranks.flat().some(line => line.includes('!'))
        if (!bad) expect(named).toEqual([])
        // What enters before all communication of a rank is always named.
        const first = ranks.findIndex(lines => lines[0] === 'add -> !')
        if (first >= 0) expect(calls(found.origins)).toContain(`${first} Torch.add.0.forward`)
      }),
      { numRuns: 150 },
    )
  })

  it('bear any argument', async () => {
    const json = fc.json({ maxDepth: 4 })
    await fc.assert(
      fc.asyncProperty(
        json,
        json,
        fc.constantFrom('all_reduce', 'send', 'broadcast', 'batch_isend_irecv'),
        async (args, named, api) => {
          const text = `{"task": "statistics", "level": "L1", "framework": "pytorch", "data": {"Distributed.${api}.0.forward": {"input_args": ${args}, "input_kwargs": ${named}, "output": []}}}`
          expect(answerOf([await recordOfText(0, text)]).calls).toBe(1)
        },
      ),
      { numRuns: 200 },
    )
  })
})
