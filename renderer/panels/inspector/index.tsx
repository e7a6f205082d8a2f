// The inspector: everything about the selected node, both sides under each other.
import { useEffect, useState, type JSX } from 'react'
import type { NodeDetail, NodeRef } from '../../../preload/contract/engine.ts'
import { run, shortcut } from '../../state/commands.ts'
import { detailKey, detailOf } from '../../state/detail.ts'
import { nameParts } from '../../state/names.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { select } from '../../state/selection.ts'
import { problemKey } from '../../state/sessions.ts'
import { changeLayout } from '../../state/settings.ts'
import { compares, panesOf, recomputes } from '../../state/study.ts'
import { problemText, useSay } from '../../state/words.ts'
import { nodeName, nodeOn, now, sameNode, useWorkbench } from '../../state/workbench.ts'
import { CommandButton } from '../../ui/command-button.tsx'
import { Button } from '../../ui/controls.tsx'
import { Name, WholeName } from '../../ui/bits.tsx'
import { Crumbs } from '../../ui/crumbs.tsx'
import { Empty, Failed, Skeleton } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ControlEdges } from './control-edges.tsx'
import { Facts } from './facts.tsx'
import { MadeHere } from './made.tsx'
import { Matching } from './matching.tsx'
import { Note, Pin } from './note.tsx'
import { Peers } from './peers.tsx'
import { Raw } from './raw.tsx'
import { Recompute } from './recompute.tsx'
import { Stack } from './stack.tsx'
import { Tensors } from './tensors.tsx'
import { Told } from './told.tsx'
import { Values } from './values.tsx'
import './inspector.css'

const noReasons: NodeDetail['whyUnmatched'] = []

export default function InspectorPanel(): JSX.Element {
  const say = useSay()
  const selection = useWorkbench(s => s.selection)
  const both = useWorkbench(s => compares(s.session))
  if (!selection)
    return (
      <Empty
        icon="flag"
        title={say('inspector.none')}
        action={
          both ? (
            <Button onPress={() => run('first-failing')}>
              {say('command.first-failing')}
              <kbd>{shortcut('first-failing')}</kbd>
            </Button>
          ) : undefined
        }
      >
        {say(both ? 'inspector.none.what' : 'inspector.none.single')}
      </Empty>
    )
  return <Inspected at={selection.at} row={selection.row} />
}

function Inspected({ at, row }: { readonly at: NodeRef; readonly row: number | null }): JSX.Element {
  const say = useSay()
  useWorkbench(s => detailKey(s, at))
  const tab = useWorkbench(s => s.layout.inspectorTab)
  const recomputed = useWorkbench(s => recomputes(s.session))
  const told = useWorkbench(s => panesOf(s.session).includes('precheck'))
  const answer = useQuery(detailOf(now(), at))
  const node = valueOf(answer)
  const mine = node && (node.at.debug === at.debug || node.at.bench === at.bench) ? node : undefined
  // For the moment until the answer is there the last node's items stay: blank boxes between the two would
  // only flicker.
  const late = useLate(mine === undefined)
  const shown = mine ?? (late ? undefined : node)
  return (
    <div
      className="inspector"
      data-testid="inspector"
      data-node={nodeName(mine?.at ?? at)}
      data-items-of={shown ? nodeName(shown.at) : ''}
    >
      <Head at={mine?.at ?? at} node={mine} />
      {answer.is === 'failed' && !mine ? <Failed problem={answer.problem} /> : null}
      {answer.is !== 'failed' && !shown ? <Skeleton rows={12} /> : null}
      {shown && (answer.is !== 'failed' || mine) ? (
        <Tabs
          label={say('inspector.title')}
          at={tab}
          onChange={inspectorTab => changeLayout({ inspectorTab })}
          rows={[
            {
              id: 'tensors',
              title: say('inspector.tensors'),
              show: (
                <>
                  <Facts node={shown} />
                  <ControlEdges node={shown} />
                  <MadeHere at={shown.at} />
                  <Tensors node={shown} row={row} />
                </>
              ),
            },
            { id: 'values', title: say('inspector.values'), show: <Values node={shown} row={row} /> },
            { id: 'stack', title: say('inspector.stack'), show: <Stack node={shown} /> },
            { id: 'raw', title: say('inspector.raw'), show: <Raw node={shown} /> },
            ...(told ? [{ id: 'precheck', title: say('verdicts.title'), show: <Told at={shown.at} /> }] : []),
            ...(recomputed
              ? [{ id: 'recompute', title: say('inspector.recompute'), show: <Recompute at={shown.at} /> }]
              : []),
          ]}
        />
      ) : null}
    </div>
  )
}

const lateMs = 150

/** Whether something has been waited for long enough to say so. */
function useLate(waiting: boolean): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!waiting) return undefined
    const timer = setTimeout(() => setLate(true), lateMs)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [waiting])
  return waiting && late
}

function Head({ at, node }: { readonly at: NodeRef; readonly node: NodeDetail | undefined }): JSX.Element {
  const language = useWorkbench(s => s.language)
  const name = nodeName(at)
  const parts = nameParts(name)
  return (
    <div className="inspector-head">
      <Path at={at} node={node} />
      <div className="row">
        <span aria-hidden="true" className="faint">
          {parts.backward ? '◂' : '▸'}
        </span>
        <h2 className="inspector-title" title={name}>
          <WholeName text={parts.short} />
        </h2>
        <Pin at={at} />
        <CommandButton command="copy-name" icon="copy" />
      </div>
      <PairNames at={at} complete={node !== undefined} />
      {node?.whyUnmatched.map(p => (
        <p key={problemKey(p)} className="why-unmatched small">
          <Icon name="info" size={12} />
          {problemText(language, p)}
        </p>
      ))}
      <Note at={at} />
      <Peers at={at} />
      {node || (at.debug !== undefined && at.bench !== undefined) ? (
        <Matching at={at} why={node?.whyUnmatched ?? noReasons} />
      ) : null}
    </div>
  )
}

/** What encloses the node. */
function Path({ at, node }: { readonly at: NodeRef; readonly node: NodeDetail | undefined }): JSX.Element {
  const say = useSay()
  const above = useWorkbench(s => (s.above && sameNode(s.above.of, at) ? s.above : null))
  const side = at.debug === undefined ? ('bench' as const) : ('debug' as const)
  const path = node ? node.path[side].slice(0, -1) : (above?.[side] ?? [])
  return (
    <Crumbs
      ids={path}
      label={say('inspector.path')}
      className=""
      onGo={id => select(nodeOn(side, id), 'inspector')}
    />
  )
}

function PairNames({
  at,
  complete,
}: {
  readonly at: NodeRef
  /** It is known whether there is a partner. */
  readonly complete: boolean
}): JSX.Element {
  const say = useSay()
  const shown = (['debug', 'bench'] as const).filter(s => s === 'debug' || complete || at[s] !== undefined)
  return (
    <dl className="pair-names small">
      {shown.map(s => (
        <div key={s} className="row">
          <dt className={`zone-mark ${s}`}>{say(`side.${s}`)}</dt>
          <dd className="grow row">
            {at[s] === undefined ? (
              <em className="faint">{say('inspector.no-partner')}</em>
            ) : (
              <Name text={at[s]} className="mono copyable" />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
