// Matching by hand: a node without partner is given one, a match is undone; kept beside the result, saved as the plugin's mapping file.
import { useId, useState, type JSX } from 'react'
import type { NodeDetail, Problem, Side } from '../../../preload/contract/engine.ts'
import { engine, isQuiet, problemOf } from '../../engine.ts'
import { host } from '../../state/host.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { useSay } from '../../state/words.ts'
import { notify, now, set, stamp, useWorkbench } from '../../state/workbench.ts'
import { Button, Check } from '../../ui/controls.tsx'

const offered = 200
const tell = (found: Problem): void => set({ problems: [...now().problems, found] })

async function attempt(act: () => Promise<{ readonly ok: true } | { readonly ok: false; readonly problem: Problem }>): Promise<void> {
  try {
    const result = await act()
    if (!result.ok) tell(result.problem)
  } catch (error) {
    if (!isQuiet(error)) tell(problemOf(error))
  }
}

export function Matching({ node }: { readonly node: NodeDetail }): JSX.Element | null {
  const say = useSay()
  const session = useWorkbench(s => s.session?.session)
  const unit = useWorkbench(s => s.session?.unit ?? 0)
  const compares = useWorkbench(s => s.session?.kind === 'compare')
  const [below, setBelow] = useState(true)
  if (!compares || session === undefined) return null
  const { debug, bench } = node.at
  const here = { session, unit }
  const save = async (): Promise<void> => {
    const written = await host().save({ name: 'compare.vis.config', data: await engine.matchesText(here) })
    if (written?.ok) notify('saved', { path: written.value.path }, written.value.path)
    else if (written) tell(written.problem)
  }
  return (
    <details className="matching small" open={debug === undefined || bench === undefined}>
      <summary>{say('matching.title')}</summary>
      <div className="column matching-body">
        <Check on={below} onChange={setBelow}>{say('matching.below')}</Check>
        {debug !== undefined && bench !== undefined
          ? <Button small onPress={() => void attempt(() => engine.match({ ...here, debug, bench: '', descendants: below }))} testId="unmatch">{say('matching.undo')}</Button>
          : <Partner key={debug ?? bench} node={node} onMatch={other => void attempt(() => engine.match({ ...here, debug: debug ?? other, bench: bench ?? other, descendants: below }))} />}
        <Button small look="quiet" onPress={() => void save()}>{say('matching.save')}</Button>
      </div>
    </details>
  )
}

function Partner({ node, onMatch }: { readonly node: NodeDetail; onMatch(other: string): void }): JSX.Element {
  const say = useSay()
  const id = useId()
  const session = useWorkbench(s => s.session?.session)
  const unit = useWorkbench(s => s.session?.unit ?? 0)
  const here = useWorkbench(s => stamp(s, 'graph', 'pairs'))
  const other: Side = node.at.debug === undefined ? 'debug' : 'bench'
  const candidates = node.whyUnmatched.flatMap(p => (p.code === 'unmatched-candidate' ? [String(p.facts['candidate'] ?? '')] : []))
  const [name, setName] = useState(candidates[0] ?? '')
  const free = valueOf(useQuery({ key: session === undefined ? null : ['free', here, other], load: signal => engine.list({ session: session as NonNullable<typeof session>, unit, list: `unmatched-${other}`, first: 0, count: offered }, signal), keep: true }))
  return (
    <div className="row">
      <input className="field grow" list={id} value={name} placeholder={say('matching.with')} aria-label={say('matching.with')} onChange={e => setName(e.target.value)} />
      <datalist id={id}>{[...candidates, ...(free?.nodes ?? []).flatMap(one => one.at[other] ?? [])].map(one => <option key={one} value={one} />)}</datalist>
      <Button small look="primary" disabled={name.trim() === ''} onPress={() => onMatch(name.trim())} testId="match">{say('matching.match')}</Button>
    </div>
  )
}
