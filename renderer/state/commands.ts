// The table of everything a person can do: menu, palette, keys, help sheet and buttons read it.
import { colourMeasures, type Colours, orderOfUnits } from '../../preload/contract/engine.ts'
import { menuCommands } from '../../preload/contract/commands.ts'
import { isPlainKey, type PlainKey } from '../../preload/contract/words/index.ts'
import { centrePanels, edgePanels, sidePanels, type PanelRow } from '../panels/index.ts'
import { readAgain } from './history.ts'
import { host } from './host.ts'
import { handles, paneHandle } from './handles.ts'
import { fromMenu, showKey } from './keys.ts'
import { clearFilters, closeAll, expand, isFiltered, look, redo, toggleShow, undo } from './looking.ts'
import { loadMatches, saveMatches, stopPairing, unmatchNode } from './matching.ts'
import { isNoiseGiven, judgesNoise, loadNoise, measureNoise, saveNoise } from './noise.ts'
import { walkOn } from './overall.ts'
import { leaveBucket } from './coloured.ts'
import { goToNextPeer, talks } from './peers.ts'
import { walkOverflow } from './overflow.ts'
import { recompute, stopRecomputing } from './recompute.ts'
import { clearSelection, stroll, walk, type Step, type Stroll } from './selection.ts'
import { openSourceOfSelection } from './source.ts'
import { back, forward } from './trail.ts'
import { chooseUnit, closeSession, openPaths, pauseWork, resumeWork, setOptions } from './sessions.ts'
import { canSwap, swapSides } from './sides.ts'
import {
  changeLayout,
  changeSettings,
  keepSoon,
  resetLayout,
  showPane,
  toggleLink,
  togglePane,
  widenPanel,
} from './settings.ts'
import { hasRanks, showQuestions } from './ranks.ts'
import { compares, matches, panesOf, recomputes, reportsOf } from './study.ts'
import { copyText } from './clipboard.ts'
import {
  isShown,
  nodeName,
  notify,
  now,
  set,
  wideSide,
  type DialogName,
  type Link,
  type Pane,
  type Workbench,
} from './workbench.ts'
import { findStep } from './find.ts'

export type Group = 'file' | 'edit' | 'view' | 'go' | 'graph' | 'grid' | 'help'
export const groups = [
  'file',
  'edit',
  'go',
  'graph',
  'grid',
  'view',
  'help',
] as const satisfies readonly Group[]

export interface Command {
  readonly id: string
  readonly group: Group
  readonly words: PlainKey
  readonly keys: readonly string[]
  /** Single letters and arrows: only while a graph has the focus, or nothing has. */
  readonly graphOnly: boolean
  readonly when: (s: Workbench) => boolean
  /** Switched on, for commands that switch. */
  readonly on?: (s: Workbench) => boolean
  run(): void | Promise<unknown>
}

type Row = Partial<Pick<Command, 'when' | 'on' | 'keys' | 'graphOnly'>>
/** Leaves a mode from wherever the focus is, a text field too. */
const leaveKey = 'Esc'
const always = (): boolean => true
const opened = (s: Workbench): boolean => s.session !== null
const matching = (s: Workbench): boolean => matches(s.session)
const selected = (s: Workbench): boolean => s.selection !== null
const menuKeys = new Map(menuCommands.map(c => [c.id, c.key ? [fromMenu(c.key)] : []]))

const command = (group: Group, id: string, run: Command['run'], row: Row = {}): Command => ({
  id,
  group,
  words: wordOf(id),
  run,
  keys: [...(menuKeys.get(id) ?? []), ...(row.keys ?? [])],
  graphOnly: row.graphOnly ?? false,
  when: row.when ?? always,
  ...(row.on ? { on: row.on } : {}),
})

function wordOf(id: string): PlainKey {
  const key = `command.${id}`
  if (!isPlainKey(key)) throw new Error(`no words for command ${id}`)
  return key
}

/** Each way of colouring has other buckets, so the legend's filter goes. */
async function colourBy(colours: Colours): Promise<void> {
  if (now().session?.options.colours === colours) return
  if (now().look.buckets.length > 0) look({ buckets: [] })
  await setOptions({ colours })
}

const dialog = (name: DialogName) => (): void => set({ dialog: now().dialog === name ? null : name })
const step = (to: Step) => async (): Promise<void> => {
  if (await walk(to)) return
  if (to !== 'next' && to !== 'previous') notify('nothing-found')
  else if (!(await walkOn(to))) notify('nothing-found')
}

const strollTo = (to: Stroll) => async (): Promise<void> => {
  if (!handles.graph?.step?.(to) && !(await stroll(to, 'walk'))) notify('nothing-found')
}

const panes: readonly Pane[] = ['side', ...[...centrePanels, ...edgePanels].map(p => p.id)]
function focusPane(pane: Pane): void {
  if (!isShown(now().layout, pane)) showPane(pane)
  const wide = wideSide(now().layout)
  if (wide !== null && pane !== 'side') widenPanel(wide, false)
  set({ focus: pane })
  requestAnimationFrame(() => {
    const handle = paneHandle(pane)
    if (handle) handle.focus()
    else
      document
        .querySelector<HTMLElement>(
          `[data-pane="${pane}"] [role="tab"][aria-selected="true"], [data-pane="${pane}"] button`,
        )
        ?.focus()
  })
}

function nextPane(): void {
  const there = panes.filter(pane => isShown(now().layout, pane))
  const next = there[(there.indexOf(now().focus) + 1) % there.length]
  if (next) focusPane(next)
}

async function choose(what: 'dumps' | 'file'): Promise<void> {
  await openPaths(await host().choose({ what }))
}

export async function zoomBy(factor: number | null): Promise<void> {
  const zoom =
    factor === null
      ? 1
      : Math.min(2, Math.max(0.5, Math.round((now().settings?.zoom ?? 1) * factor * 20) / 20))
  await changeSettings({ zoom })
}

function nextUnit(by: 1 | -1): void {
  const { session } = now()
  if (!session) return
  const order = orderOfUnits(session.units)
  const unit =
    session.units[order[order.findIndex(at => session.units[at]?.unit === session.unit) + by] ?? -1]
  if (unit) void chooseUnit(unit.unit)
}

const toggleRail = (rail: string) => (): void => {
  const { layout } = now()
  const there = isShown(layout, 'side') && layout.rail === rail
  changeLayout({ rail, shown: { ...layout.shown, side: !there } })
}

const panel = (row: PanelRow, run: Command['run'], on: NonNullable<Row['on']>): Command =>
  command('view', `panel-${row.id}`, run, {
    when: s => panesOf(s.session).includes(row.id),
    on,
    keys: row.keys ?? [],
  })
const link = (name: Link): Command =>
  command('graph', `link-${name}`, () => toggleLink(name), {
    when: s => compares(s.session),
    on: s => s.layout.links[name],
  })
const tab = (name: string, when: Row['when'] = selected): Command =>
  command(
    'view',
    `tab-${name}`,
    () => {
      changeLayout({ inspectorTab: name })
      showPane('inspector')
    },
    { when, on: s => s.layout.inspectorTab === name },
  )
/** Kept with the pair. */
function togglePlumbing(): void {
  look({ plumbing: !now().look.plumbing })
  keepSoon()
}

/** Opens levels around what is selected, which stays where it is. */
const expandTo = (to: number | 'differing'): Promise<void> => expand(null, to, () => handles.graph?.hold?.())
const depth = (to: number): Command =>
  command('graph', `expand-${to}`, () => expandTo(to), { when: opened, keys: [`Shift+${to}`] })

export const commands: readonly Command[] = [
  command('file', 'open', () => choose('dumps')),
  command('file', 'open-file', () => choose('file')),
  command('file', 'sample', () => openPaths(now().start?.sample ?? []), {
    when: s => (s.start?.sample.length ?? 0) > 0,
  }),
  command('file', 'swap', swapSides, { when: canSwap }),
  command('file', 'reload', readAgain, { when: opened, keys: ['Mod+R'] }),
  command('file', 'pause', pauseWork, { when: s => s.job !== null || s.opening !== null }),
  command('file', 'resume', resumeWork, { when: s => s.session?.paused === true }),
  command('file', 'close', closeSession, { when: opened }),
  command('file', 'export', dialog('export'), { when: s => reportsOf(s.session).length > 0 }),
  command('file', 'save-mapping', () => handles.mapping?.save(), {
    when: () => handles.mapping !== undefined,
  }),
  command('file', 'matches-load', () => loadMatches(), { when: matching }),
  command('file', 'matches-save', saveMatches, { when: s => matching(s) && s.matches.length > 0 }),
  command('file', 'noise-twins', measureNoise, { when: judgesNoise }),
  command('file', 'noise-profile', loadNoise, { when: judgesNoise }),
  command('file', 'noise-save', saveNoise, { when: s => judgesNoise(s) && isNoiseGiven(s) }),
  command('file', 'noise-remove', () => setOptions({ noise: [] }), {
    when: s => judgesNoise(s) && isNoiseGiven(s),
  }),
  command('file', 'settings', dialog('settings'), { keys: ['Mod+,'] }),

  command(
    'edit',
    'undo',
    () => {
      if (!handles.mapping?.undo()) undo()
    },
    { when: s => s.past.length > 0 || handles.mapping !== undefined },
  ),
  command(
    'edit',
    'redo',
    () => {
      if (!handles.mapping?.redo()) redo()
    },
    { when: s => s.future.length > 0 || handles.mapping !== undefined, keys: ['Mod+Y'] },
  ),
  command('edit', 'find', () => handles.search?.focus(), { when: opened, keys: ['/'] }),
  command(
    'view',
    'query',
    () => {
      showQuestions()
      handles.ranksQuery?.focus()
    },
    { when: s => hasRanks(s.session), keys: ['Mod+Shift+Q'] },
  ),
  command('edit', 'find-next', () => findStep(1), { when: s => s.find.text !== '' }),
  command('edit', 'find-previous', () => findStep(-1), { when: s => s.find.text !== '' }),
  command(
    'edit',
    'copy-name',
    () => {
      const at = now().selection?.at
      return at && copyText(nodeName(at))
    },
    { when: selected, keys: ['Mod+Shift+C'] },
  ),
  command(
    'edit',
    'copy-both-names',
    () => {
      const at = now().selection?.at
      return at && copyText([at.debug, at.bench].filter(Boolean).join('\n'))
    },
    { when: selected },
  ),

  command('go', 'first-failing', step('first'), { when: opened }),
  command('go', 'next-problem', step('next'), { when: opened, keys: ['Alt+Down'] }),
  command('go', 'previous-problem', step('previous'), { when: opened, keys: ['Alt+Up'] }),
  ...(['next', 'previous'] as const).map(to =>
    command(
      'go',
      `${to}-overflow`,
      async () => {
        if (!(await walkOverflow(to))) notify('nothing-found')
      },
      {
        when: s => panesOf(s.session).includes('overflow'),
        keys: [to === 'next' ? 'Mod+F8' : 'Mod+Shift+F8'],
      },
    ),
  ),
  command('go', 'back', back, { when: s => s.trailAt > 0 }),
  command('go', 'forward', forward, { when: s => s.trailAt < s.trail.length - 1 }),
  command('go', 'peer', goToNextPeer, { when: s => talks(s.selection?.at), keys: ['J'], graphOnly: true }),
  command('go', 'open-source', openSourceOfSelection, { when: selected }),
  command('go', 'next-unit', () => nextUnit(1), {
    when: s => (s.session?.units.length ?? 0) > 1,
    keys: ['Mod+PageDown'],
  }),
  command('go', 'previous-unit', () => nextUnit(-1), {
    when: s => (s.session?.units.length ?? 0) > 1,
    keys: ['Mod+PageUp'],
  }),

  command('graph', 'graph-first', step('first'), { when: opened, keys: ['F'], graphOnly: true }),
  command('graph', 'graph-next', step('next'), { when: opened, keys: ['N'], graphOnly: true }),
  command('graph', 'graph-previous', step('previous'), { when: opened, keys: ['P'], graphOnly: true }),
  command('graph', 'graph-in', () => handles.graph?.zoom(1.2), {
    when: opened,
    keys: ['W'],
    graphOnly: true,
  }),
  command('graph', 'graph-out', () => handles.graph?.zoom(1 / 1.2), {
    when: opened,
    keys: ['S'],
    graphOnly: true,
  }),
  command('graph', 'graph-left', () => handles.graph?.move(60, 0), {
    when: opened,
    keys: ['A'],
    graphOnly: true,
  }),
  command('graph', 'graph-right', () => handles.graph?.move(-60, 0), {
    when: opened,
    keys: ['D'],
    graphOnly: true,
  }),
  command('graph', 'graph-fit', () => handles.graph?.fit(), { when: opened, keys: ['0'], graphOnly: true }),
  command('graph', 'graph-actual', () => handles.graph?.actual(), {
    when: opened,
    keys: ['1'],
    graphOnly: true,
  }),
  command('graph', 'graph-toggle', () => handles.graph?.toggle(), {
    when: selected,
    keys: ['Enter', 'Space'],
    graphOnly: true,
  }),
  command('graph', 'graph-above', strollTo('above'), { when: selected, keys: ['Up'], graphOnly: true }),
  command('graph', 'graph-below', strollTo('below'), { when: selected, keys: ['Down'], graphOnly: true }),
  command('graph', 'graph-parent', strollTo('parent'), { when: selected, keys: ['Left'], graphOnly: true }),
  command('graph', 'graph-child', strollTo('child'), { when: selected, keys: ['Right'], graphOnly: true }),
  command('graph', 'leave', () => (now().pairing ? stopPairing() : leaveBucket()), {
    when: s => s.pairing !== null || s.look.buckets.length > 0,
    keys: [leaveKey],
  }),
  command('graph', 'clear', clearSelection, { when: selected, keys: [leaveKey], graphOnly: true }),
  command(
    'graph',
    'match-undo',
    () => {
      const at = now().selection?.at
      return at && unmatchNode(at, true)
    },
    { when: s => matching(s) && s.selection?.at.debug !== undefined && s.selection.at.bench !== undefined },
  ),
  ...[1, 2, 3].map(depth),
  command('graph', 'expand-failing', () => expandTo('differing'), { when: opened, keys: ['Shift+F'] }),
  command('graph', 'expand-below', () => expand(now().selection?.at ?? null, 'all'), {
    when: selected,
    keys: ['Shift+E'],
  }),
  command('graph', 'close-all', closeAll, {
    when: s => s.look.opened.debug.length + s.look.opened.bench.length > 0,
    keys: ['Shift+C'],
  }),
  link('expand'),
  link('pan'),
  link('zoom'),
  link('select'),
  command(
    'graph',
    'graph-view',
    () => changeLayout({ graphView: now().layout.graphView === 'structure' ? 'dataflow' : 'structure' }),
    { when: opened, on: s => s.layout.graphView === 'dataflow', keys: ['V'], graphOnly: true },
  ),
  ...colourMeasures.map(colours =>
    command('graph', `colours-${colours}`, () => colourBy(colours), {
      when: opened,
      on: s => s.session?.options.colours === colours,
    }),
  ),
  command('graph', 'plumbing', togglePlumbing, {
    when: s => opened(s) && s.layout.graphView === 'structure',
    on: s => !s.look.plumbing,
    keys: ['H'],
    graphOnly: true,
  }),
  command('graph', 'minimap', () => changeLayout({ minimap: !now().layout.minimap }), {
    when: opened,
    on: s => s.layout.minimap,
  }),

  command(
    'go',
    'recompute',
    () => {
      const at = now().selection?.at
      return at && recompute([at])
    },
    { when: s => recomputes(s.session) && s.selection !== null },
  ),
  command('go', 'recompute-all', () => recompute(null), { when: s => recomputes(s.session) }),
  command('go', 'recompute-stop', stopRecomputing, { when: s => s.recomputing !== null }),

  command('grid', 'show-failing', () => toggleShow('differs'), {
    when: opened,
    on: s => s.look.show.includes('differs'),
  }),
  command('grid', 'show-unmatched', () => toggleShow('unpaired'), {
    when: opened,
    on: s => s.look.show.includes('unpaired'),
  }),
  command('grid', 'show-highlighted', () => toggleShow('highlighted'), {
    when: opened,
    on: s => s.look.show.includes('highlighted'),
  }),
  command('grid', 'show-node', () => look({ thisNode: !now().look.thisNode }), {
    when: selected,
    on: s => s.look.thisNode,
    keys: ['Mod+Shift+N'],
  }),
  command('grid', 'clear-filters', clearFilters, { when: s => isFiltered(s.look) }),
  command('grid', 'columns', () => handles.grid?.chooseColumns(), { when: opened }),
  command('grid', 'autosize', () => handles.grid?.autosize(), { when: opened }),

  command('view', 'palette', dialog('palette'), { keys: ['Mod+Shift+P'] }),
  command('view', 'toggle-rail', () => togglePane('side'), { on: s => isShown(s.layout, 'side') }),
  ...sidePanels.map(p =>
    panel(p, toggleRail(p.id), s => isShown(s.layout, 'side') && s.layout.rail === p.id),
  ),
  ...[...centrePanels, ...edgePanels].map(p =>
    panel(
      p,
      () => togglePane(p.id),
      s => isShown(s.layout, p.id),
    ),
  ),
  tab('tensors'),
  tab('values'),
  tab('stack'),
  tab('raw'),
  tab('recompute'),
  tab('precheck', s => selected(s) && panesOf(s.session).includes('precheck')),
  command('view', 'mapping-wide', () => widenPanel('mapping', wideSide(now().layout) === null), {
    when: s => isShown(s.layout, 'side') && s.layout.rail === 'mapping' && matching(s),
    on: s => wideSide(s.layout) === 'mapping',
  }),
  command('view', 'thresholds', dialog('thresholds'), { when: opened }),
  command('view', 'next-pane', nextPane),
  ...panes.map((pane, i) =>
    command('view', `focus-${pane}`, () => focusPane(pane), { keys: [`Mod+${i + 1}`], when: opened }),
  ),
  command('view', 'theme-system', () => changeSettings({ theme: 'system' }), {
    on: s => s.settings?.theme === 'system',
  }),
  command('view', 'theme-light', () => changeSettings({ theme: 'light' }), {
    on: s => s.settings?.theme === 'light',
  }),
  command('view', 'theme-dark', () => changeSettings({ theme: 'dark' }), {
    on: s => s.settings?.theme === 'dark',
  }),
  command('view', 'language-en', () => changeSettings({ language: 'en' }), { on: s => s.language === 'en' }),
  command('view', 'language-zh', () => changeSettings({ language: 'zh' }), { on: s => s.language === 'zh' }),
  command('view', 'safe-colours', () => changeSettings({ safeColours: !now().settings?.safeColours }), {
    on: s => s.settings?.safeColours === true,
  }),
  command(
    'view',
    'comfortable',
    () => changeSettings({ density: now().settings?.density === 'comfortable' ? 'compact' : 'comfortable' }),
    { on: s => s.settings?.density === 'comfortable' },
  ),
  command('view', 'zoom-in', () => zoomBy(1.1)),
  command('view', 'zoom-out', () => zoomBy(1 / 1.1)),
  command('view', 'zoom-reset', () => zoomBy(null)),
  command('view', 'full-screen', () => host().perform({ what: 'full-screen' })),
  command('view', 'reset-layout', resetLayout),

  command('help', 'keys', dialog('keys'), { keys: ['?'] }),
  command('help', 'diagnostics', async () => {
    await host().diagnostics()
    notify('copied')
  }),
  command('help', 'show-log', () => host().perform({ what: 'show-log' })),
  command('help', 'about', dialog('about')),
]

const byId = new Map(commands.map(c => [c.id, c]))
if (byId.size !== commands.length) throw new Error('two commands with one id')

export const commandOf = (id: string): Command => {
  const found = byId.get(id)
  if (!found) throw new Error(`no command ${id}`)
  return found
}

export const canRun = (c: Command, s: Workbench): boolean => c.when(s)

/** Commands from the menu or a key; unknown ids come from another version and are left alone. */
export function run(id: string): void {
  const c = byId.get(id)
  if (c && canRun(c, now())) void c.run()
}

/** The command of a chord in a place; letters and arrows count only in a graph. */
export function commandFor(chord: string, inGraph: boolean, typing: boolean): Command | undefined {
  const modified = /Mod\+|Alt\+|^F\d/.test(chord)
  if (typing && !modified && chord !== leaveKey && !/^(?:Shift\+)?F\d/.test(chord)) return undefined
  return commands.find(c => c.keys.includes(chord) && (!c.graphOnly || inGraph) && canRun(c, now()))
}

/** How a command's first key is written on this system; '' when it has none. */
export function shortcut(id: string): string {
  const [first] = commandOf(id).keys
  return first ? showKey(first, now().start?.platform === 'darwin') : ''
}
