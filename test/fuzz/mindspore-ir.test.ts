// IR texts: what is written comes back wherever a window ends; whatever is damaged is refused or read as far as
// it goes.
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { mapCode, type MappedCode } from '../../main/engine/formats/mindspore-ir/index.ts'
import { lineRoom } from '../../main/engine/formats/mindspore-ir/lines.ts'
import { Refusal } from '../../main/engine/model/problem.ts'
import { job } from '../../main/engine/work/job.ts'
import { seedsOf } from '../support/fuzz.ts'
import { irText, type IrNode } from '../support/ir-text.ts'
import { memoryFiles } from '../support/memory-files.ts'
import { mutate } from '../support/mutate.ts'

const usual = lineRoom.bytes
afterEach(() => {
  lineRoom.bytes = usual
})

const word = fc.stringMatching(/^[a-z]{1,8}-[A-Z][a-z]{1,6}$/)
const line = fc.stringMatching(/^In file \/[a-z/]{1,20}\.py:\d{1,4}\/ [a-zäβ节🙂()= ]{0,20}\/$/u)
const node: fc.Arbitrary<IrNode> = fc.record({
  op: fc.constantFrom('MatMul', 'PrimFunc_Add', 'ReLU'),
  scope: fc.array(word, { minLength: 1, maxLength: 4 }).map(parts => ['Default', ...parts].join('/')),
  lines: fc.array(line, { minLength: 1, maxLength: 4 }),
})

function map(ir: string | Uint8Array, scopes: readonly string[]): Promise<MappedCode> {
  const names = scopes.map(scope => `X.${scope.replaceAll('/', '_')}_X-op1.1.0.9.output.0.F.npy`)
  const dump = Object.fromEntries(names.map(name => [`/dump/${name}`, '']))
  return mapCode(memoryFiles({ '/net.ir': ir, ...dump }), '/net.ir', '/dump', job())
}

test('every node is found by its scope, with windows of any size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(node, { minLength: 1, maxLength: 8, selector: ({ scope }) => scope }),
      fc.integer({ min: 300, max: 2000 }),
      async (nodes, bytes) => {
        lineRoom.bytes = bytes
        const { code, names } = await map(
          irText(nodes),
          nodes.map(({ scope }) => scope),
        )
        const found = new Map(code.map((one, name) => [names.get(name), one]))
        for (const { scope, lines } of nodes)
          expect(found.get(`${scope.replaceAll('/', '_')}_X-op1`)).toEqual({
            scope,
            stacks: [lines?.map(text => text.slice(0, -1))],
          })
      },
    ),
    { numRuns: 150 },
  )
})

test('a damaged text or csv is read as far as it goes, or refused', async () => {
  const nodes: IrNode[] = Array.from({ length: 30 }, (_, i) => ({
    op: 'MatMul',
    scope: `${i % 3 === 0 ? 'Gradients/' : ''}Default/net-Net/fc${i}-Dense`,
    lines: [`In file /m/net.py:${i}/  x = self.fc${i}(x)/`],
    ...(i % 3 === 0 ? { forward: String(i + 1) } : { id: String(i) }),
  }))
  const ir = new TextEncoder().encode(irText(nodes))
  const csv = new TextEncoder().encode(
    `Op Type,Op Name,IO\n${nodes.map(({ scope }) => `X,${scope.replaceAll('/', '_')}_X-op1,"input"`).join('\n')}\n`,
  )
  let whole = 0
  for (const seed of seedsOf(400)) {
    lineRoom.bytes = seed % 2 === 0 ? usual : 256
    const files = memoryFiles({
      '/net.ir': mutate(ir, seed).bytes,
      '/dump/statistic.csv': seed % 4 === 0 ? mutate(csv, seed).bytes : csv,
    })
    try {
      const { code, path, name, names } = await mapCode(files, '/net.ir', '/dump', job())
      expect(path.length).toBe(name.length)
      expect(code.length).toBe(names.size)
      whole++
    } catch (error) {
      if (!(error instanceof Refusal)) throw new Error(`seed ${seed}`, { cause: error })
    }
  }
  expect(whole).toBeGreaterThan(100)
})
