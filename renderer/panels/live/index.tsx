// One quiet line above the panes while a run is being dumped, and what lies behind it: each step and rank.
import type { JSX } from 'react'
import { Dialog, DialogTrigger, Popover, Button as AriaButton } from 'react-aria-components'
import { liveStates, type LiveRank, type LiveView } from '../../../preload/contract/engine.ts'
import {
  liveCounts,
  liveFacts,
  livePlace,
  liveRunTexts,
  liveText,
} from '../../../preload/contract/words/live-lines.ts'
import type { Language } from '../../../preload/contract/words/index.ts'
import { run } from '../../state/commands.ts'
import { switchDumping, useLive } from '../../state/live.ts'
import { isSingle } from '../../state/study.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Button, MenuButton } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import './live.css'

export function LiveLine(): JSX.Element | null {
  const language = useWorkbench(s => s.language)
  const view = useLive()
  const line = view ? lineOf(language, view) : null
  return view && line ? <Line view={view} {...line} /> : null
}

interface Said {
  readonly is: 'writing' | 'stalled' | 'gone' | 'quiet'
  readonly what: string
}

const mostNamed = 4

/** Null where nobody writes and nothing was left open: a finished dump needs no line. */
function lineOf(language: Language, { sides, fresh }: LiveView): Said | null {
  const ranks = sides.flatMap(({ run: { ranks: of } }) => of)
  const missing = sides.flatMap(({ run: { gone, root, ranks: of } }) =>
    gone ? [root] : of.filter(({ state }) => state === 'gone').map(rank => livePlace(language, rank)),
  )
  if (missing.length > 0) return { is: 'gone', what: missing.slice(0, mostNamed).join(', ') }
  if (ranks.some(({ state }) => state === 'writing'))
    return { is: 'writing', what: liveCounts(language, ranks, liveStates) }
  const [stalled] = ranks.filter(isStalled)
  if (stalled) return { is: 'stalled', what: liveText(language, stalled) }
  return fresh > 0 ? { is: 'quiet', what: '' } : null
}

/** An empty folder alone may be anything. */
const isStalled = ({ state, calls, provisional, cut }: LiveRank): boolean =>
  state === 'stalled' && (calls !== 0 || provisional > 0 || cut)

function Line({ view, is, what }: Said & { readonly view: LiveView }): JSX.Element {
  const say = useSay()
  const single = useWorkbench(s => isSingle(s.session))
  const torch = view.sides.some(({ run: { framework } }) => framework === 'pytorch')
  return (
    <div className={`live-line ${is}`} role="status" data-testid="live" data-is={is}>
      <span className="live-mark" aria-hidden="true">
        {is === 'writing' ? (
          <span className="live-dot" />
        ) : (
          <Icon name={is === 'quiet' ? 'info' : 'alert'} size={13} />
        )}
      </span>
      <span className="grow copyable">{say(`live.line.${is}`, { what })}</span>
      {view.fresh > 0 ? (
        <span className="row">
          {say('live.more-units', { count: view.fresh })}
          <Button look="quiet" small className="link" testId="live-take-in" onPress={() => run('reload')}>
            {say('live.take-in')}
          </Button>
        </span>
      ) : null}
      <DialogTrigger>
        <AriaButton className="link" data-testid="live-details">
          {say('live.details')}
        </AriaButton>
        <Popover className="popover live-popover" placement="bottom end">
          <Dialog aria-label={say('live.details')} className="live-table" data-testid="live-table">
            {view.sides.map(({ side, run: of }) => (
              <section key={side}>
                {single ? null : <h3 className="small dim">{say(`side.${side}`)}</h3>}
                <Ranks ranks={of.ranks} />
                <Lacking lines={liveRunTexts(useWorkbench.getState().language, of)} />
              </section>
            ))}
          </Dialog>
        </Popover>
      </DialogTrigger>
      {torch ? (
        <MenuButton
          label={say('live.switch-tip')}
          className="link"
          testId="live-switch"
          entries={[
            { id: 'on', text: say('live.switch-on'), run: () => void switchDumping(true) },
            { id: 'off', text: say('live.switch-off'), run: () => void switchDumping(false) },
          ]}
        >
          {say('live.switch')}
        </MenuButton>
      ) : null}
    </div>
  )
}

/** What goes on stands above what is complete. */
const weight: readonly LiveRank['state'][] = ['stalled', 'writing', 'empty', 'gone', 'quiet', 'complete']
const mostShown = 200

function Ranks({ ranks }: { readonly ranks: readonly LiveRank[] }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const shown = ranks
    .toSorted((a, b) => weight.indexOf(a.state) - weight.indexOf(b.state))
    .slice(0, mostShown)
  return (
    <ul className="small">
      {shown.map(rank => (
        <li key={rank.dir} data-state={rank.state}>
          <span className="live-place num">{livePlace(language, rank)}</span>
          <span className={`live-state ${rank.state}`}>{say(`live.state.${rank.state}`)}</span>
          <span className="dim copyable">{liveFacts(language, rank).join(' · ')}</span>
        </li>
      ))}
    </ul>
  )
}

const Lacking = ({ lines }: { readonly lines: readonly string[] }): JSX.Element | null =>
  lines.length === 0 ? null : (
    <ul className="small dim">
      {lines.map(line => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
