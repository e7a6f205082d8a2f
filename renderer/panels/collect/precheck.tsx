// How each API of the opened dump is run on a device: command lines, their configuration, and what to see to first.
import type { JSX } from 'react'
import {
  precheckTools,
  type PrecheckOrder,
  type PrecheckPlan,
  type PrecheckTool,
} from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { copyText } from '../../state/clipboard.ts'
import { useCollect } from '../../state/collect.ts'
import { apiOf } from '../../state/names.ts'
import { valueOf } from '../../state/query.ts'
import { setPrecheck } from '../../state/settings.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay } from '../../state/words.ts'
import { type PrecheckWish, useWorkbench } from '../../state/workbench.ts'
import { Button, Check, MenuButton } from '../../ui/controls.tsx'
import { Icon, type IconName } from '../../ui/icons.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { Piece } from './code.tsx'

const tools = Object.keys(precheckTools) as PrecheckTool[]

const words = (typed: string): readonly string[] => typed.split(/[\s,;]+/).filter(Boolean)

const orderOf = (wish: PrecheckWish, tool: PrecheckTool): Omit<PrecheckOrder, 'file'> => ({
  tool,
  ...(wish.output.trim() !== '' && { output: wish.output.trim() }),
  ...(wish.resume.trim() !== '' && { resume: wish.resume.trim() }),
  savesErrors: wish.savesErrors,
  jit: wish.jit,
  filters: wish.filters,
  devices: words(wish.devices)
    .filter(one => /^\d{1,3}$/.test(one))
    .map(Number),
  white: words(wish.white),
  black: words(wish.black),
})

export function Precheck(): JSX.Element {
  const say = useSay()
  const wish = useWorkbench(s => s.layout.precheckOrder)
  const version = useCollect(s => s.target.version)
  const generation = version === '26' ? '26' : '1.2.2'
  const tool =
    tools.find(
      one => precheckTools[one].generation === generation && precheckTools[one].isMulti === wish.isMulti,
    ) ?? 'acc_check'
  const order = orderOf(wish, tool)
  const plan = valueOf(
    useUnitQuery({
      steps: ['dumps'],
      key: ['collect-precheck', JSON.stringify(order)],
      keep: true,
      load: (here, signal) => engine.collectPrecheck({ ...here, order }, signal),
    }),
  )
  return (
    <div className="column collect-precheck" data-testid="collect-precheck">
      <p className="small dim card-text">{say('precheck.panel.what')}</p>
      <div className="row wrap">
        <MenuButton
          label={say('precheck.panel.tool')}
          testId="precheck-tool"
          entries={[false, true].map(isMulti => ({
            id: String(isMulti),
            text: say(isMulti ? 'precheck.panel.several' : 'precheck.panel.one'),
            on: wish.isMulti === isMulti,
            run: () => setPrecheck({ isMulti }),
          }))}
        >
          {say(wish.isMulti ? 'precheck.panel.several' : 'precheck.panel.one')}
        </MenuButton>
        <code className="mono small dim">{tool}</code>
      </div>
      <Typed name="white" title={say('precheck.panel.white')}>
        <FromSelection wish={wish} />
      </Typed>
      <Typed name="black" title={say('precheck.panel.black')} />
      <Typed name="devices" title={say('precheck.panel.devices')} />
      <Typed name="output" title={say('precheck.panel.output')} />
      <Typed name="resume" title={say('precheck.panel.resume')} />
      <Check on={wish.savesErrors} onChange={savesErrors => setPrecheck({ savesErrors })}>
        {say('cli.flag.precheckSave')}
      </Check>
      <Check on={wish.filters} onChange={filters => setPrecheck({ filters })}>
        {say('cli.flag.precheckFilter')}
      </Check>
      <Check on={wish.jit} onChange={jit => setPrecheck({ jit })}>
        {say('cli.flag.precheckJit')}
      </Check>
      {plan ? <Plan plan={plan} /> : <Skeleton rows={6} />}
    </div>
  )
}

function Typed({
  name,
  title,
  children,
}: {
  readonly name: 'white' | 'black' | 'devices' | 'output' | 'resume'
  readonly title: string
  readonly children?: JSX.Element
}): JSX.Element {
  const value = useWorkbench(s => s.layout.precheckOrder[name])
  return (
    <div className="collect-line">
      <span className="small dim">{title}</span>
      <input
        className="field mono collect-typed"
        spellCheck={false}
        aria-label={title}
        data-testid={`precheck-${name}`}
        value={value}
        onChange={e => setPrecheck({ [name]: e.target.value })}
      />
      {children}
    </div>
  )
}

/** The API of the call that is selected, among those that are run. */
function FromSelection({ wish }: { readonly wish: PrecheckWish }): JSX.Element | null {
  const say = useSay()
  const selected = useWorkbench(s => s.selection?.at.debug ?? s.selection?.at.bench ?? '')
  const api = apiOf(selected)
  if (api === null || words(wish.white).includes(api)) return null
  return (
    <span className="row wrap">
      <Button
        small
        testId="precheck-add"
        onPress={() => setPrecheck({ white: [...words(wish.white), api].join(' ') })}
      >
        {say('precheck.panel.add', { api })}
      </Button>
    </span>
  )
}

function Plan({ plan: { commands, config, checks } }: { readonly plan: PrecheckPlan }): JSX.Element {
  const say = useSay()
  const configText = config && JSON.stringify(config, null, 2)
  const pieces = [
    ['npu', say('precheck.panel.npu'), commands.npu],
    ['config', say('precheck.panel.config'), configText],
    ['gpu', say('precheck.panel.gpu'), commands.gpu],
    ['compare', say('precheck.panel.compare'), commands.compare],
  ] as const
  const given = pieces.flatMap(([id, title, text]) => (text === null ? [] : [{ id, title, text }]))
  const all = [
    ...given.map(({ title, text }) => `# ${title}\n${text}`),
    `# ${say('precheck.panel.checks')}\n${checks.map(({ id, holds }) => `${signOf(holds).mark} ${say(`precheck.check.${id}`)}`).join('\n')}`,
  ].join('\n\n')
  return (
    <>
      <div className="row wrap">
        <Button small icon="copy" testId="precheck-copy" onPress={() => void copyText(`${all}\n`)}>
          {say('collect.page.copy')}
        </Button>
      </div>
      {given.map(({ id, title, text }) => (
        <Piece key={id} id={`precheck-${id}`} title={title} text={text} />
      ))}
      <section className="card" aria-label={say('precheck.panel.checks')}>
        <h3 className="small dim">{say('precheck.panel.checks')}</h3>
        <ul className="plain-list precheck-checks" data-testid="precheck-checks">
          {checks.map(({ id, holds }) => (
            <li key={id} className="row small" data-check={id} data-holds={String(holds)}>
              <Icon name={signOf(holds).icon} size={14} />
              <span>{say(`precheck.check.${id}`)}</span>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}

interface Sign {
  readonly mark: string
  readonly icon: IconName
}

/** Held, not held, and to be seen to by somebody. */
function signOf(holds: boolean | null): Sign {
  if (holds === null) return { mark: '[ ]', icon: 'info' }
  return holds ? { mark: '[x]', icon: 'check' } : { mark: '[!]', icon: 'alert' }
}
