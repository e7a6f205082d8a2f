// What the table says of rows and what the advisor says of the pair never contradict each other.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Finding } from '../../main/engine/model/finding.ts'
import { RowState, rowStates } from '../../main/engine/model/names.ts'
import { adviseFolders, type Advised } from '../support/advised.ts'
import { fixturesRoot } from '../support/fixtures.ts'

const root = path.join(fixturesRoot(), 'dumps')
const rankOf = (dump: string): string => {
  const step = path.join(root, dump, 'step0')
  const [rank = ''] = readdirSync(step)
    .filter(name => name.startsWith('rank'))
    .sort()
  return path.join(step, rank)
}

/** Every faulty dump against the healthy one of its framework, and of the other one. */
const pairs = readdirSync(root)
  .sort()
  .flatMap(debug => {
    const parts =
      /^(?<style>pt|ms)_(?<model>lenet|tr)_(?<fault>.+)_(?<way>(?:statistics|md5|tensor)_(?:mix|L0|L1))$/.exec(
        debug,
      )?.groups
    if (!parts) return []
    const { style = '', model = '', way = '' } = parts
    // Checksums of two frameworks never agree.
    const others = style === 'ms' && !way.startsWith('md5') ? ['ms', 'pt'] : [style]
    return others
      .map(bench => ({ debug, bench: `${bench}_${model}_none_${way}`, across: bench !== style }))
      .filter(({ bench }) => bench !== debug && existsSync(path.join(root, bench)))
  })

function contradictionsOf({ comparison, advice }: Advised): readonly string[] {
  const { state } = comparison
  const [headline] = advice.findings
  const said: string[] = []
  const differing = state.filter(is => is === RowState.differs).length
  if (!headline && differing > 0) said.push(`nothing was found, yet ${differing} rows differ`)
  if (!headline) return said
  const evidence = headline.evidence.filter(({ row, level }) => row >= 0 && level > 0)
  const excused = evidence.filter(({ row }) => state[row] === RowState.noise || state[row] === RowState.equal)
  if (evidence.length > 0 && excused.length === evidence.length)
    said.push(`${headline.kind}: no row of its evidence differs`)
  if (headline.explains.rows > headline.explains.of) said.push('explains more than there is')
  for (const finding of advice.findings) said.push(...contradictionsIn(finding, state))
  for (const row of headline.proof) {
    const names = [comparison.text(row, 0), comparison.text(row, 1)]
    if (!names.some(name => name.startsWith(`${headline.node}.`)))
      said.push(`${headline.kind}: ${names[0]} is said to show it, and is no row of ${headline.node}`)
    if (state[row] === RowState.equal || state[row] === RowState.noise)
      said.push(`${headline.kind}: ${names[0]} is said to show it, and agrees`)
  }
  return said
}

/** Kinds that say of the inputs of their node that they agree. */
const inputsAgree = new Set(['origin', 'origin.module', 'nan', 'communication', 'communication.nan'])

/** What the evidence of a finding shows, against what its sentence says. */
function contradictionsIn(finding: Finding, state: Uint8Array): readonly string[] {
  const { kind, variant, node, evidence, partner } = finding
  const way = variant === '' ? kind : `${kind}.${variant}`
  const said: string[] = []
  const own = evidence.filter(({ label }) => label.startsWith(`${node}.`))
  // Across frameworks arguments are not held against each other.
  const differs = own
    .filter(one => one.state === 'differs' && one.metric !== 'value')
    .map(({ label }) => label.slice(node.length + 1))
  if (inputsAgree.has(way) && differs.some(item => /^(?:input|kwargs)/.test(item)))
    said.push(`${way}: of ${node} ${differs.join(', ')} differ`)
  if (kind === 'different-input' && own.some(one => one.state === 'equal' || one.state === 'noise'))
    said.push(`${way}: something of ${node} agrees`)
  if (evidence.length > 0 && !evidence.some(one => one.state === 'differs' || one.state === 'unpaired'))
    said.push(`${way}: nothing of ${node} differs`)
  for (const one of evidence)
    if (
      one.row >= 0 &&
      partner !== '' &&
      one.state !== rowStates[state[one.row]] &&
      state[one.row] !== RowState.unpaired
    )
      said.push(`${way}: ${one.label} is ${one.state}, its row ${rowStates[state[one.row]]}`)
  return said
}

test('the headline rests on rows that differ; without one no row does', async () => {
  const said: string[] = []
  for (const { debug, bench, across } of pairs) {
    const advised = await adviseFolders(rankOf(debug), rankOf(bench), across ? { api: '' } : {})
    for (const one of contradictionsOf(advised)) said.push(`${debug} against ${bench}: ${one}`)
  }
  expect(pairs.length).toBeGreaterThan(85)
  expect(said).toEqual([])
}, 600_000)
