// Buttons, chips, tips, menus and dialogs: react-aria's behaviour in our dress.
import type { JSX, ReactNode, RefObject } from 'react'
import { useRef } from 'react'
import {
  Button as AriaButton,
  Checkbox as AriaCheckbox,
  Dialog as AriaDialog,
  Header,
  Heading,
  Menu as AriaMenu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Modal,
  ModalOverlay,
  Popover,
  Separator,
  ToggleButton,
  Tooltip,
  TooltipTrigger,
  type Key,
} from 'react-aria-components'
import { useSay } from '../state/words.ts'
import { Icon, type IconName } from './icons.tsx'

interface ButtonProps {
  readonly children?: ReactNode
  readonly icon?: IconName
  /** Accessible name and tip of a button without text; tip only when there is text too. */
  readonly label?: string
  readonly look?: 'plain' | 'primary' | 'quiet'
  readonly small?: boolean
  readonly keys?: string | undefined
  readonly disabled?: boolean
  readonly testId?: string
  readonly className?: string
  onPress?(): void
}

const classes = (...names: readonly (string | false | undefined)[]): string => names.filter(Boolean).join(' ')

export function Tip({
  text,
  keys,
  children,
  delay = 500,
}: {
  readonly text: string
  readonly keys?: string | undefined
  readonly children: JSX.Element
  readonly delay?: number
}): JSX.Element {
  return (
    <TooltipTrigger delay={delay} closeDelay={60}>
      {children}
      <Tooltip className="tooltip" offset={6}>
        {text}
        {keys ? (
          <>
            {' '}
            <kbd>{keys}</kbd>
          </>
        ) : null}
      </Tooltip>
    </TooltipTrigger>
  )
}

export function Button({
  children,
  icon,
  label,
  look = 'plain',
  small,
  keys,
  disabled,
  testId,
  className,
  onPress,
}: ButtonProps): JSX.Element {
  const bare = children === undefined
  const button = (
    <AriaButton
      className={classes('button', look !== 'plain' && look, small && 'small', bare && 'icon', className)}
      isDisabled={disabled ?? false}
      {...(onPress ? { onPress } : {})}
      {...(bare && label ? { 'aria-label': label } : {})}
      {...(testId ? { 'data-testid': testId } : {})}
    >
      {icon ? <Icon name={icon} size={small ? 14 : 16} /> : null}
      {children}
    </AriaButton>
  )
  return label ? (
    <Tip text={label} keys={keys}>
      {button}
    </Tip>
  ) : (
    button
  )
}

interface ToggleProps {
  readonly on: boolean
  readonly children?: ReactNode
  readonly icon?: IconName
  readonly label?: string
  readonly className?: string
  readonly disabled?: boolean
  readonly keys?: string | undefined
  readonly testId?: string
  onChange(on: boolean): void
}

/** A button that stays down: a chip, a tool or a place of the rail. */
export function Toggle({
  on,
  children,
  icon,
  label,
  className = 'button quiet small icon',
  disabled,
  keys,
  testId,
  onChange,
}: ToggleProps): JSX.Element {
  const button = (
    <ToggleButton
      className={className}
      isSelected={on}
      isDisabled={disabled ?? false}
      onChange={onChange}
      {...(label && children === undefined ? { 'aria-label': label } : {})}
      {...(testId ? { 'data-testid': testId } : {})}
    >
      {icon ? <Icon name={icon} size={className.includes('small') ? 14 : 16} /> : null}
      {children}
    </ToggleButton>
  )
  return label ? (
    <Tip text={label} keys={keys}>
      {button}
    </Tip>
  ) : (
    button
  )
}

export function Check({
  on,
  children,
  disabled,
  onChange,
}: {
  readonly on: boolean
  readonly children: ReactNode
  readonly disabled?: boolean
  onChange(on: boolean): void
}): JSX.Element {
  return (
    <AriaCheckbox className="check" isSelected={on} isDisabled={disabled ?? false} onChange={onChange}>
      <span className="box">
        <Icon name="check" size={11} />
      </span>
      <span className="grow">{children}</span>
    </AriaCheckbox>
  )
}

// ---------------------------------------- menus

export type MenuEntry =
  | {
      readonly id: string
      readonly text: string
      readonly keys?: string | undefined
      readonly icon?: IconName
      readonly disabled?: boolean
      readonly on?: boolean
      run(): void
    }
  | { readonly title: string; readonly entries: readonly MenuEntry[] }
  | 'line'

function MenuList({
  entries,
  label,
  onClose,
}: {
  readonly entries: readonly MenuEntry[]
  readonly label: string
  onClose?(): void
}): JSX.Element {
  const actions = new Map<Key, () => void>()
  const collect = (list: readonly MenuEntry[]): void => {
    for (const entry of list) {
      if (entry === 'line') continue
      if ('entries' in entry) collect(entry.entries)
      else actions.set(entry.id, entry.run)
    }
  }
  collect(entries)
  return (
    <AriaMenu
      className="menu"
      aria-label={label}
      onAction={id => {
        onClose?.()
        actions.get(id)?.()
      }}
    >
      {entries.map((entry, i) => (
        <Entry key={keyOf(entry, i)} entry={entry} />
      ))}
    </AriaMenu>
  )
}

function keyOf(entry: MenuEntry, i: number): string {
  if (entry === 'line') return `line${i}`
  return 'entries' in entry ? entry.title : entry.id
}

function Entry({ entry }: { readonly entry: MenuEntry }): JSX.Element {
  if (entry === 'line') return <Separator className="menu-line" />
  if ('entries' in entry) {
    return (
      <MenuSection>
        <Header className="menu-title">{entry.title}</Header>
        {entry.entries.map((inner, i) => (
          <Entry key={keyOf(inner, i)} entry={inner} />
        ))}
      </MenuSection>
    )
  }
  const mark = entry.on ? 'check' : entry.icon
  return (
    <MenuItem id={entry.id} className="menu-item" textValue={entry.text} isDisabled={entry.disabled ?? false}>
      <span className="mark">{mark ? <Icon name={mark} size={13} /> : null}</span>
      <span>{entry.text}</span>
      {entry.keys ? <span className="keys">{entry.keys}</span> : null}
    </MenuItem>
  )
}

/** A button that opens a menu. */
export function MenuButton({
  children,
  label,
  entries,
  className = 'button select',
  disabled,
  testId,
  icon,
}: {
  readonly children?: ReactNode
  readonly label: string
  readonly entries: readonly MenuEntry[]
  readonly className?: string
  readonly disabled?: boolean
  readonly testId?: string
  readonly icon?: IconName
}): JSX.Element {
  return (
    <MenuTrigger>
      <AriaButton
        className={className}
        aria-label={label}
        isDisabled={disabled ?? false}
        {...(testId ? { 'data-testid': testId } : {})}
      >
        {icon ? <Icon name={icon} size={className.includes('small') ? 14 : 16} /> : null}
        {children}
        {className.includes('select') ? <Icon name="down" size={12} /> : null}
      </AriaButton>
      <Popover className="popover" offset={4}>
        <MenuList entries={entries} label={label} />
      </Popover>
    </MenuTrigger>
  )
}

export interface MenuPlace {
  readonly x: number
  readonly y: number
}

/** A menu at the pointer, or at the focused thing when it was asked for by key. */
export function ContextMenu({
  at,
  entries,
  label,
  onClose,
}: {
  readonly at: MenuPlace | null
  readonly entries: readonly MenuEntry[]
  readonly label: string
  onClose(): void
}): JSX.Element | null {
  const pin = useRef<HTMLSpanElement>(null)
  if (!at) return null
  return (
    <>
      <span ref={pin} className="menu-pin" style={{ left: at.x, top: at.y }} />
      <Popover
        className="popover"
        triggerRef={pin as RefObject<HTMLSpanElement>}
        isOpen
        onOpenChange={open => {
          if (!open) onClose()
        }}
        placement="bottom start"
        offset={0}
      >
        <MenuList entries={entries} label={label} onClose={onClose} />
      </Popover>
    </>
  )
}

// ---------------------------------------- dialogs

/** Lies over the window; Escape and a click beside it close it. */
export function Overlay({
  width,
  children,
  onClose,
}: {
  readonly width: number
  readonly children: ReactNode
  onClose(): void
}): JSX.Element {
  return (
    <ModalOverlay
      className="overlay"
      isOpen
      isDismissable
      onOpenChange={open => {
        if (!open) onClose()
      }}
    >
      <Modal className="dialog-box" style={{ maxWidth: width }}>
        {children}
      </Modal>
    </ModalOverlay>
  )
}

export function Dialog({
  title,
  width,
  children,
  foot,
  testId,
  onClose,
}: {
  readonly title: string
  readonly width: number
  readonly children: ReactNode
  readonly foot?: ReactNode
  readonly testId?: string
  onClose(): void
}): JSX.Element {
  const say = useSay()
  return (
    <Overlay width={width} onClose={onClose}>
      <AriaDialog className="dialog" {...(testId ? { 'data-testid': testId } : {})}>
        <div className="dialog-head">
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          <Button look="quiet" small icon="close" label={say('frame.close')} onPress={onClose} />
        </div>
        <div className="dialog-body">{children}</div>
        {foot ? <div className="dialog-foot">{foot}</div> : null}
      </AriaDialog>
    </Overlay>
  )
}
