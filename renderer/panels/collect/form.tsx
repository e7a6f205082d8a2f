// The form over the text: a line per key, with what the tool would make of it.
import { useState, type JSX } from 'react'
import type { ConfigChange, ConfigField, ConfigValue } from '../../../preload/contract/engine.ts'
import type { CollectView } from '../../../preload/contract/collect.ts'
import { configText } from '../../../preload/contract/words/problem.ts'
import { sayIf, useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Button, Check, MenuButton, Toggle } from '../../ui/controls.tsx'
import { Empty } from '../../ui/states.tsx'

type Change = (changes: readonly ConfigChange[]) => void

export function Form({
  view,
  onChange,
}: {
  readonly view: CollectView
  readonly onChange: Change
}): JSX.Element {
  const say = useSay()
  if (!view.check.readable && view.fields.every(field => field.value === undefined))
    return <Empty icon="alert" title={say('collect.unreadable')} />
  return (
    <div className="collect-form" data-testid="collect-form">
      {view.fields.map(field => (
        <Line key={field.path} field={field} onChange={onChange} />
      ))}
      <Rest view={view} />
    </div>
  )
}

/** Findings that no line shows: of keys that are none, of texts that cannot be read. */
function Rest({ view }: { readonly view: CollectView }): JSX.Element | null {
  const language = useWorkbench(s => s.language)
  const shown = new Set(view.fields.flatMap(field => field.says.map(one => `${one.from} ${one.code}`)))
  const rest = view.check.diagnostics.filter(one => !shown.has(`${one.from} ${one.code}`))
  if (rest.length === 0) return null
  return (
    <ul className="plain-list collect-rest" data-testid="collect-rest">
      {rest.map(one => (
        <li key={`${one.from} ${one.code}`} className={`small collect-says ${one.severity}`}>
          {configText(language, one)}
        </li>
      ))}
    </ul>
  )
}

function Line({ field, onChange }: { readonly field: ConfigField; readonly onChange: Change }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const { path, key, says, value } = field
  return (
    <div className={value === undefined ? 'collect-line unsaid' : 'collect-line'} data-key={path}>
      <div className="row collect-head">
        <label className="mono collect-key grow" title={sayIf(language, `collect.key.${key}`) ?? ''}>
          {key}
        </label>
        {field.input === 'flag' ? <Control field={field} onChange={onChange} /> : null}
        {value === undefined ? null : (
          <Button
            small
            look="quiet"
            icon="close"
            label={say('collect.unset', { key })}
            onPress={() => onChange([{ path }])}
          />
        )}
      </div>
      {field.input === 'flag' ? null : <Control field={field} onChange={onChange} />}
      {says.map(one => (
        <p key={`${one.from} ${one.code}`} className={`small collect-says ${one.severity}`}>
          {configText(language, one)}
        </p>
      ))}
    </div>
  )
}

function Control({
  field,
  onChange,
}: {
  readonly field: ConfigField
  readonly onChange: Change
}): JSX.Element {
  const { path, value, usual } = field
  const put = (next: ConfigValue): void => onChange([{ path, value: next }])
  switch (field.input) {
    case 'flag':
      return (
        <Check on={(value ?? usual) === true} onChange={put}>
          {''}
        </Check>
      )
    case 'choice':
      return <Choice field={field} onPut={put} />
    case 'choices':
      return <Choices field={field} onPut={put} />
    case 'texts':
      return <Texts field={field} onPut={put} />
    default:
      return <Typed field={field} onPut={put} />
  }
}

interface ControlProps {
  readonly field: ConfigField
  onPut(value: ConfigValue): void
}

function Choice({ field: { key, choices, value, usual }, onPut }: ControlProps): JSX.Element {
  const language = useWorkbench(s => s.language)
  const shown = value ?? usual
  return (
    <MenuButton
      label={key}
      testId={`collect-${key}`}
      className="button select collect-choice"
      entries={choices.map(choice => ({
        id: choice.value,
        text: choice.refused ? `${choice.value} — ${configText(language, choice.refused)}` : choice.value,
        disabled: choice.refused !== null,
        on: choice.value === shown,
        run: () => onPut(choice.value),
      }))}
    >
      <span className="grow cut">{typeof shown === 'string' ? shown : JSON.stringify(shown)}</span>
    </MenuButton>
  )
}

function Choices({ field: { choices, value, usual }, onPut }: ControlProps): JSX.Element {
  const shown = Array.isArray(value ?? usual) ? ((value ?? usual) as readonly ConfigValue[]) : []
  const toggle = (choice: string, on: boolean): void => {
    const others = shown.filter(one => one !== choice && one !== 'all')
    if (!on) onPut(others.length === 0 ? ['all'] : others)
    else onPut(choice === 'all' ? ['all'] : [...others, choice])
  }
  return (
    <span className="row wrap collect-chips">
      {choices.map(({ value: choice }) => (
        <Toggle key={choice} className="chip" on={shown.includes(choice)} onChange={on => toggle(choice, on)}>
          {choice}
        </Toggle>
      ))}
    </span>
  )
}

/** What is typed comes into the text when the field is left, or by Enter. */
function Typed({ field, onPut }: ControlProps): JSX.Element {
  const { input, key, value, usual } = field
  const shown = typedOf(field)
  const [typed, setTyped] = useState<string | null>(null)
  const commit = (): void => {
    if (typed !== null && typed !== shown) onPut(readTyped(input, typed))
    setTyped(null)
  }
  return (
    <input
      className="field mono collect-typed"
      spellCheck={false}
      aria-label={key}
      value={typed ?? (value === undefined ? '' : shown)}
      placeholder={value === undefined ? placeholder(usual) : ''}
      onChange={e => setTyped(e.target.value)}
      onBlur={commit}
      onKeyDown={e => {
        if (e.key === 'Enter') commit()
        if (e.key === 'Escape') setTyped(null)
      }}
    />
  )
}

const placeholder = (usual: ConfigValue): string =>
  usual === null || (Array.isArray(usual) && usual.length === 0) ? '' : JSON.stringify(usual)

function typedOf({ input, value }: ConfigField): string {
  if (value === undefined) return ''
  if (input === 'ranges' && Array.isArray(value)) return value.map(String).join(', ')
  return input !== 'json' && typeof value === 'string' ? value : JSON.stringify(value)
}

/** What cannot be read goes into the text as it is: there it is said what is wrong with it. */
function readTyped(input: ConfigField['input'], typed: string): ConfigValue {
  const asNumber = (text: string): ConfigValue => (/^-?\d+$/.test(text) ? Number(text) : text)
  if (input === 'ranges')
    return typed
      .split(/[,\s]+/)
      .filter(one => one !== '')
      .map(asNumber)
  if (input === 'number') return asNumber(typed.trim())
  if (input !== 'json') return typed
  try {
    return JSON.parse(typed) as ConfigValue
  } catch {
    return typed
  }
}

/** What names of calls belong into. */
const ofCalls: ReadonlySet<string> = new Set(['list', 'tensor_list', 'scope'])

/** Names one per line; of the call that is selected, too. */
function Texts({ field: { key, value }, onPut }: ControlProps): JSX.Element {
  const say = useSay()
  const [typed, setTyped] = useState<string | null>(null)
  const selected = useWorkbench(s => s.selection?.at.debug ?? s.selection?.at.bench ?? '')
  const list = Array.isArray(value) ? value.map(String) : []
  const shown = list.join('\n')
  const commit = (): void => {
    if (typed !== null && typed !== shown)
      onPut(
        typed
          .split('\n')
          .map(line => line.trim())
          .filter(line => line !== ''),
      )
    setTyped(null)
  }
  return (
    <span className="column collect-names-field">
      <textarea
        className="field mono"
        spellCheck={false}
        aria-label={key}
        rows={Math.min(8, Math.max(1, (typed ?? shown).split('\n').length))}
        value={typed ?? shown}
        onChange={e => setTyped(e.target.value)}
        onBlur={commit}
      />
      {selected === '' || !ofCalls.has(key) ? null : (
        <span className="row wrap">
          {key === 'scope' ? (
            <>
              <Button small onPress={() => onPut([selected, list[1] ?? selected])}>
                {say('collect.scope.from')}
              </Button>
              <Button small onPress={() => onPut([list[0] ?? selected, selected])}>
                {say('collect.scope.to')}
              </Button>
            </>
          ) : (
            <Button
              small
              testId={`collect-add-${key}`}
              onPress={() => onPut([...new Set([...list, selected])])}
            >
              {say('collect.list.add')}
            </Button>
          )}
        </span>
      )}
    </span>
  )
}
