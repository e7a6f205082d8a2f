// Commands that stand in the system's menus: ids, places and accelerators. The window runs them; titles are
// words `command.<id>`.

interface MenuCommand {
  readonly id: string
  /** Electron's notation; the window reads the same text for its own key table. */
  readonly key?: string
  /** A line above this entry. */
  readonly line?: true
}

export type MenuName = 'file' | 'edit' | 'view' | 'go' | 'help'

/** Entries that the system performs by itself are roles of Electron's menu. */
export type MenuEntry =
  | MenuCommand
  | { readonly role: 'cut' | 'copy' | 'paste' | 'selectAll' | 'quit'; readonly line?: true }
  | { readonly list: 'recent' | 'theme' | 'language' }

export const menus: Readonly<Record<MenuName, readonly MenuEntry[]>> = {
  file: [
    { id: 'open', key: 'CmdOrCtrl+O' },
    { id: 'open-file', key: 'CmdOrCtrl+Shift+O' },
    { id: 'sample' },
    { list: 'recent' },
    { id: 'swap', line: true },
    { id: 'reload', key: 'F5' },
    { id: 'pause', key: 'CmdOrCtrl+.' },
    { id: 'resume' },
    { id: 'close', key: 'CmdOrCtrl+W' },
    { id: 'export', key: 'CmdOrCtrl+E', line: true },
    { id: 'save-mapping', key: 'CmdOrCtrl+S' },
    { id: 'noise-twins', line: true },
    { id: 'noise-profile' },
    { id: 'noise-save' },
    { role: 'quit', line: true },
  ],
  edit: [
    { id: 'undo', key: 'CmdOrCtrl+Z' },
    { id: 'redo', key: 'CmdOrCtrl+Shift+Z' },
    { role: 'cut', line: true },
    { role: 'copy' },
    { role: 'paste' },
    { role: 'selectAll' },
    { id: 'find', key: 'CmdOrCtrl+F', line: true },
    { id: 'find-next', key: 'F3' },
    { id: 'find-previous', key: 'Shift+F3' },
  ],
  view: [
    { id: 'palette', key: 'CmdOrCtrl+K' },
    { id: 'toggle-rail', key: 'CmdOrCtrl+B', line: true },
    { id: 'panel-grid', key: 'CmdOrCtrl+J' },
    { id: 'panel-inspector', key: 'CmdOrCtrl+I' },
    { id: 'next-pane', key: 'F6' },
    { id: 'reset-layout' },
    { list: 'theme' },
    { list: 'language' },
    { id: 'safe-colours' },
    { id: 'zoom-in', key: 'CmdOrCtrl+Plus', line: true },
    { id: 'zoom-out', key: 'CmdOrCtrl+-' },
    { id: 'zoom-reset', key: 'CmdOrCtrl+0' },
    { id: 'full-screen', key: 'F11' },
  ],
  go: [
    { id: 'first-failing', key: 'CmdOrCtrl+Home' },
    { id: 'next-problem', key: 'F8' },
    { id: 'previous-problem', key: 'Shift+F8' },
    { id: 'back', key: 'Alt+Left', line: true },
    { id: 'forward', key: 'Alt+Right' },
  ],
  help: [
    { id: 'keys', key: 'CmdOrCtrl+/' },
    { id: 'diagnostics', line: true },
    { id: 'show-log' },
    { id: 'about' },
  ],
}

export const menuCommands: readonly MenuCommand[] = Object.values(menus)
  .flat()
  .filter(entry => 'id' in entry)
