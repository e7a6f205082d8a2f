// The system's menus from the table of commands, in the language of the window.
import type { MenuItemConstructorOptions } from 'electron'
import { menus, type MenuEntry, type MenuName } from '../preload/contract/commands.ts'
import type { Settings } from '../preload/contract/host.ts'
import { say, sayIf, type Language, type PlainKey } from '../preload/contract/words/index.ts'

interface MenuState {
  readonly language: Language
  readonly settings: Settings
  readonly disabled: ReadonlySet<string>
  readonly mac: boolean
}

export interface MenuActions {
  command(id: string): void
  change(patch: Partial<Settings>): void
  open(paths: readonly string[]): void
}

export function menuTemplate(state: MenuState, actions: MenuActions): MenuItemConstructorOptions[] {
  const word = (key: PlainKey): string => say(state.language, key)

  const lists = {
    recent: (): MenuItemConstructorOptions => ({
      label: word('menu.recent'),
      enabled: state.settings.recent.length > 0,
      submenu: state.settings.recent.map(({ title, paths }) => ({
        label: title.replaceAll('&', '&&'),
        click: () => actions.open(paths),
      })),
    }),
    theme: (): MenuItemConstructorOptions => ({
      label: word('menu.theme'),
      submenu: (['system', 'light', 'dark'] as const).map(theme => ({
        label: word(`menu.theme.${theme}`),
        type: 'radio',
        checked: state.settings.theme === theme,
        click: () => actions.change({ theme }),
      })),
    }),
    language: (): MenuItemConstructorOptions => ({
      label: word('menu.language'),
      submenu: (['system', 'en', 'zh'] as const).map(language => ({
        label: word(`menu.language.${language}`),
        type: 'radio',
        checked: state.settings.language === language,
        click: () => actions.change({ language }),
      })),
    }),
  }

  const item = (entry: MenuEntry): MenuItemConstructorOptions => {
    if ('list' in entry) return lists[entry.list]()
    if ('role' in entry) return { role: entry.role, label: word(`menu.${entry.role}`) }
    return {
      id: entry.id,
      label: sayIf(state.language, `command.${entry.id}`) ?? entry.id,
      enabled: !state.disabled.has(entry.id),
      ...(entry.key ? { accelerator: entry.key } : {}),
      click: () => actions.command(entry.id),
    }
  }

  const menu = (name: MenuName): MenuItemConstructorOptions => ({
    label: word(`menu.${name}`),
    submenu: menus[name].flatMap(entry =>
      'line' in entry && entry.line ? [{ type: 'separator' as const }, item(entry)] : [item(entry)],
    ),
  })

  return [
    ...(state.mac ? [{ role: 'appMenu' as const }] : []),
    ...(Object.keys(menus) as MenuName[]).map(menu),
  ]
}
