// The inspector: everything about the selected node, both sides under each other.
import { useEffect, useRef, type JSX } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import type { NodeDetail, NodeRef } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { run, shortcut } from '../../state/commands.ts'
import { crumb, nameParts } from '../../state/names.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { select } from '../../state/selection.ts'
import { changeLayout } from '../../state/settings.ts'
import { problemText, useSay } from '../../state/words.ts'
import { nodeName, stamp, useWorkbench } from '../../state/workbench.ts'
import { Button } from '../../ui/controls.tsx'
import { Name } from '../../ui/bits.tsx'
import { Empty, Failed, Skeleton } from '../../ui/states.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Matching } from './matching.tsx'
import { Peers } from './peers.tsx'
import { Raw } from './raw.tsx'
import { Stack } from './stack.tsx'
import { Tensors } from './tensors.tsx'
import { Values } from './values.tsx'
import './inspector.css'

const tabs = ['tensors', 'values', 'stack', 'raw'] as const

export default function InspectorPanel(): JSX.Element {
  const say = useSay()
  const selection = useWorkbench(s => s.selection)
  const both = useWorkbench(s => s.session?.bench != null)
  if (!selection) return <Empty icon="flag" title={say('inspector.none')} action={both ? <Button onPress={() => run('first-failing')}>{say('command.first-failing')}<kbd>{shortcut('first-failing')}</kbd></Button> : undefined}>{say(both ? 'inspector.none.what' : 'inspector.none.single')}</Empty>
  return <Inspected at={selection.at} row={selection.row} />
}

function Inspected({ at, row }: { readonly at: NodeRef; readonly row: number | null }): JSX.Element {
  const say = useSay()
  const here = useWorkbench(s => stamp(s, 'dumps', 'pairs', 'metrics', 'verdicts', 'graph'))
  const session = useWorkbench(s => s.session?.session)
  const unit = useWorkbench(s => s.session?.unit)
  const tab = useWorkbench(s => s.layout.inspectorTab)
  const answer = useQuery({
    key: session === undefined ? null : ['node', here, at.debug, at.bench],
    load: signal => engine.node({ session: session as NonNullable<typeof session>, unit: unit ?? 0, at }, signal),
    keep: true,
  })
  const node = valueOf(answer)
  const mine = node && (node.at.debug === at.debug || node.at.bench === at.bench) ? node : undefined
  return (
    <div className="inspector" data-testid="inspector" data-node={nodeName(mine?.at ?? at)}>
      <Head at={mine?.at ?? at} node={mine} />
      {answer.is === 'failed' && !mine ? <Failed problem={answer.problem} /> : !mine ? <Skeleton rows={12} /> : (
        <Tabs className="tabs" selectedKey={(tabs as readonly string[]).includes(tab) ? tab : 'tensors'} onSelectionChange={key => changeLayout({ inspectorTab: String(key) })}>
          <TabList className="tab-list" aria-label={say('inspector.title')}>{tabs.map(id => <Tab key={id} id={id} className="tab">{say(`inspector.${id}`)}</Tab>)}</TabList>
          <TabPanel id="tensors" className="tab-panel"><Tensors node={mine} row={row} /></TabPanel>
          <TabPanel id="values" className="tab-panel"><Values node={mine} row={row} /></TabPanel>
          <TabPanel id="stack" className="tab-panel"><Stack node={mine} /></TabPanel>
          <TabPanel id="raw" className="tab-panel"><Raw node={mine} /></TabPanel>
        </Tabs>
      )}
    </div>
  )
}

function Head({ at, node }: { readonly at: NodeRef; readonly node: NodeDetail | undefined }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const name = nodeName(at)
  const parts = nameParts(name)
  const path = node ? (node.path.debug.length > 0 ? node.path.debug : node.path.bench) : []
  const side = node && node.path.debug.length > 0 ? 'debug' as const : 'bench' as const
  const trail = useRef<HTMLElement>(null)
  useEffect(() => { if (trail.current) trail.current.scrollLeft = trail.current.scrollWidth }, [path.length, name])
  return (
    <div className="inspector-head">
      <nav ref={trail} className="crumbs" aria-label={say('inspector.path')}>
        {path.slice(0, -1).map((id, i) => (
          <span key={id} className="row" style={{ gap: 4 }}>{i > 0 ? <Icon name="right" size={10} /> : null}<button type="button" className="link crumb" title={id} onClick={() => select(side === 'debug' ? { debug: id } : { bench: id }, 'inspector')}>{crumb(id)}</button></span>
        ))}
      </nav>
      <div className="row">
        <h2 className="inspector-title" title={name}><span aria-hidden="true" className="faint">{parts.backward ? '◂ ' : '▸ '}</span>{parts.short}</h2>
        <Button look="quiet" small icon="copy" label={say('command.copy-name')} keys={shortcut('copy-name')} onPress={() => run('copy-name')} />
      </div>
      <dl className="pair-names small">
        {(['debug', 'bench'] as const).map(s => (at[s] === undefined && s === 'bench' && !node ? null : (
          <div key={s} className="row"><dt className={`zone-mark ${s}`}>{say(`side.${s}`)}</dt><dd className="grow row">{at[s] === undefined ? <em className="faint">{say('inspector.no-partner')}</em> : <Name text={at[s]} className="mono copyable" />}</dd></div>
        )))}
      </dl>
      {node?.matchedBy ? <p className="small faint">{say('inspector.matched-by', { by: node.matchedBy })}</p> : null}
      {node?.whyUnmatched.map(p => <p key={p.code} className="why-unmatched small"><Icon name="info" size={12} />{problemText(language, p)}</p>)}
      {node ? <Peers node={node} /> : null}
      {node ? <Matching node={node} /> : null}
    </div>
  )
}
