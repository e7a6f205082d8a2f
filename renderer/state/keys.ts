// Keys as texts: `Mod+Shift+P`. One notation for the command table, the menus (Electron's words) and what is
// shown.

/** Electron's notation in ours. */
export const fromMenu = (key: string): string => key.replace('CmdOrCtrl', 'Mod').replace('Plus', '+')

const named: Readonly<Record<string, string>> = {
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  Escape: 'Esc',
  ' ': 'Space',
  '=': '+',
}

interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
  readonly code?: string
}

export function chordOf(e: KeyPress): string {
  // Shift makes a sign of a digit; the digit is meant.
  const digit = e.shiftKey ? /^Digit(\d)$/.exec(e.code ?? '')?.[1] : undefined
  if (digit) return `${e.ctrlKey || e.metaKey ? 'Mod+' : ''}${e.altKey ? 'Alt+' : ''}Shift+${digit}`
  const name = named[e.key] ?? (e.key.length === 1 ? e.key.toUpperCase() : e.key)
  const letter = /^[A-Z]$/.test(name)
  const command = e.ctrlKey || e.metaKey
  // A sign that needs Shift on some keyboards (`?`, `+`) is named by itself; letters and named keys keep
  // Shift.
  const shift = e.shiftKey && (letter || name.length > 1)
  return `${command ? 'Mod+' : ''}${e.altKey ? 'Alt+' : ''}${shift ? 'Shift+' : ''}${name}`
}

const marks: Readonly<Record<string, string>> = { Left: '←', Right: '→', Up: '↑', Down: '↓' }
const modifiers: Readonly<Record<string, { readonly mac: string; readonly others: string }>> = {
  Mod: { mac: '⌘', others: 'Ctrl' },
  Alt: { mac: '⌥', others: 'Alt' },
  Shift: { mac: '⇧', others: 'Shift' },
}

export function showKey(chord: string, mac: boolean): string {
  // The plus that is a key stands at the end, where it would be taken for one that joins.
  const joined = chord.endsWith('+') ? chord.slice(0, -1) : chord
  const parts = joined.split('+').filter(Boolean)
  const word = (part: string): string => modifiers[part]?.[mac ? 'mac' : 'others'] ?? marks[part] ?? part
  return [...parts, ...(joined === chord ? [] : ['+'])].map(word).join(mac ? '' : ' ')
}

/** Whether a key belongs to where one types: letters without Ctrl there are text. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('input, textarea, select') ||
      target.closest('.cm-editor') !== null)
  )
}
