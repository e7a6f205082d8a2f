// The entry of dump.json as it stands in the file.
import type { JSX } from 'react'
import { useState } from 'react'
import type { NodeDetail, Side } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { copyText } from '../../state/clipboard.ts'
import { valueOf } from '../../state/query.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay } from '../../state/words.ts'
import { Button, Toggle } from '../../ui/controls.tsx'
import { Answered } from '../../ui/states.tsx'

const longest = 200_000

export function Raw({ node }: { readonly node: NodeDetail }): JSX.Element {
  const say = useSay()
  const sides = (['debug', 'bench'] as const).filter(side => node.at[side] !== undefined)
  const [chosen, setChosen] = useState<Side>('debug')
  const side = sides.includes(chosen) ? chosen : (sides[0] ?? 'debug')
  const answer = useUnitQuery({
    steps: ['dumps'],
    key: ['raw', side, node.at[side]],
    load: (here, signal) => engine.raw({ ...here, side, node: node.at[side] ?? '' }, signal),
  })
  const text = valueOf(answer)
  return (
    <div className="raw">
      <div className="row raw-head">
        {sides.map(s => (
          <Toggle key={s} className="chip" on={s === side} onChange={() => setChosen(s)}>
            {say(`side.${s}`)}
          </Toggle>
        ))}
        <span className="grow" />
        <Button
          look="quiet"
          small
          icon="copy"
          label={say('frame.copy')}
          disabled={!text}
          onPress={() => {
            if (text) void copyText(text)
          }}
        />
      </div>
      <Answered
        answer={answer}
        skeleton={{ rows: 10 }}
        renderValue={written => (
          <pre className="json" tabIndex={0}>
            {pretty(written)}
          </pre>
        )}
      />
    </div>
  )
}

/** Indented where it is JSON; numbers are left as written, so nothing is parsed into doubles. */
function pretty(text: string): string {
  if (text.includes('\n')) return text.slice(0, longest)
  let depth = 0
  let inText = false
  let out = ''
  for (let i = 0; i < Math.min(text.length, longest); i++) {
    const c = text.charAt(i)
    if (inText) {
      out += c
      if (c === '\\') out += text.charAt(++i)
      else if (c === '"') inText = false
      continue
    }
    if (c === '"') {
      inText = true
      out += c
    } else if (c === '{' || c === '[') {
      const short = /^(?:\[[^[\]{}]{0,60}\]|\{\s*\})/.exec(text.slice(i, i + 64))
      if (short) {
        out += short[0]
        i += short[0].length - 1
      } else out += `${c}\n${'  '.repeat(++depth)}`
    } else if (c === '}' || c === ']') out += `\n${'  '.repeat(Math.max(0, --depth))}${c}`
    else if (c === ',') {
      out += `,\n${'  '.repeat(depth)}`
      while (text.charAt(i + 1) === ' ') i++
    } else out += c
  }
  return out
}
