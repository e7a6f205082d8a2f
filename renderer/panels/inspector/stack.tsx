// Where in the model's source a node was called: own lines first, framework frames folded.
import { useState, type JSX } from 'react'
import type { NodeDetail, Side, StackFrame } from '../../../preload/contract/engine.ts'
import { copyText } from '../../state/clipboard.ts'
import { openSource } from '../../state/source.ts'
import { useSay } from '../../state/words.ts'
import { Button } from '../../ui/controls.tsx'
import { Name, Section } from '../../ui/bits.tsx'
import { Empty } from '../../ui/states.tsx'

export function Stack({ node }: { readonly node: NodeDetail }): JSX.Element {
  const say = useSay()
  const sides = (['debug', 'bench'] as const).filter(side => node.stack[side].length > 0)
  if (sides.length === 0)
    return (
      <Empty icon="nodes" title={say('stack.none')}>
        {say('stack.none.what')}
      </Empty>
    )
  return (
    <>
      {sides.map(side => (
        <StackOf key={side} side={side} frames={node.stack[side]} />
      ))}
    </>
  )
}

const lineOf = (f: StackFrame): string =>
  f.file === '' ? f.code : `File ${f.file}, line ${f.line}, in ${f.func}\n    ${f.code}`

function StackOf({
  side,
  frames,
}: {
  readonly side: Side
  readonly frames: readonly StackFrame[]
}): JSX.Element {
  const say = useSay()
  const own = frames.filter(f => !f.framework)
  const first = own[0] ?? frames[0]
  return (
    <Section
      title={say(`side.${side}`)}
      aside={
        <Button
          look="quiet"
          small
          icon="copy"
          label={say('stack.copy')}
          onPress={() => void copyText(frames.map(lineOf).join('\n'))}
        />
      }
    >
      {first ? (
        <div className="source-line">
          <span className="row">
            <span className="mono small dim grow">
              {first.file.split('/').slice(-2).join('/')}
              {':'}
              {first.line}
            </span>
            <OpenLine frame={first} />
          </span>
          <pre>{first.code}</pre>
        </div>
      ) : null}
      <Frames frames={frames} lead={first} />
    </Section>
  )
}

function Frames({
  frames,
  lead,
}: {
  readonly frames: readonly StackFrame[]
  readonly lead: StackFrame | undefined
}): JSX.Element {
  const groups: { readonly framework: boolean; readonly frames: StackFrame[] }[] = []
  for (const frame of frames) {
    const last = groups.at(-1)
    if (last && last.framework === frame.framework) last.frames.push(frame)
    else groups.push({ framework: frame.framework, frames: [frame] })
  }
  return (
    <ol className="frames">
      {groups.map((g, i) =>
        g.framework ? (
          <Folded key={i} frames={g.frames} />
        ) : (
          g.frames.map((f, j) => <Frame key={`${i}.${j}`} frame={f} strong={f === lead} />)
        ),
      )}
    </ol>
  )
}

function Frame({ frame, strong }: { readonly frame: StackFrame; readonly strong?: boolean }): JSX.Element {
  return (
    <li className={`frame ${strong ? 'strong' : ''} ${frame.framework ? 'framework' : ''}`}>
      <span className="row">
        <Name className="mono small dim" text={`${frame.file}:${frame.line}`} />
        <OpenLine frame={frame} />
      </span>
      <code className="copyable">
        {frame.func ? `${frame.func}: ` : ''}
        {frame.code}
      </code>
    </li>
  )
}

function OpenLine({ frame }: { readonly frame: StackFrame }): JSX.Element | null {
  const say = useSay()
  if (frame.file === '') return null
  return (
    <Button
      look="quiet"
      small
      icon="out"
      label={say('stack.open')}
      testId="open-source"
      onPress={() => void openSource(frame)}
    />
  )
}

function Folded({ frames }: { readonly frames: readonly StackFrame[] }): JSX.Element {
  const say = useSay()
  const [open, setOpen] = useState(false)
  return (
    <>
      <li>
        <button type="button" className="link small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {say(open ? 'stack.fold' : 'stack.framework', { count: frames.length })}
        </button>
      </li>
      {open ? frames.map((f, i) => <Frame key={i} frame={f} />) : null}
    </>
  )
}
