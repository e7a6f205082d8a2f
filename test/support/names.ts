// Names by which stories find things in the window. `id` is a data-testid; everything else is found by role
// and accessible name.
// Each state of test/gallery/index.html carries data-gallery with its name; `npm run gallery -- --shots`
// takes a picture of each.
// Accessible names are words of contract/words, so a story asks for them with say(language, key).

export const names = {
  /** The empty state with its two drop zones. */
  empty: 'empty-state',
  dropDebug: 'drop-debug',
  dropBench: 'drop-bench',
  /** Button "Open the sample" of the empty state. */
  openSample: 'open-sample',
  /** Buttons of the empty state that ask for a folder. */
  chooseDebug: 'choose-debug',
  chooseBench: 'choose-bench',
  /** List of recent pairs; each entry is a button. */
  recent: 'recent',

  toolbar: 'toolbar',
  modeBadge: 'mode-badge',
  /** The grid pane; carries data-rows with the number of rows of the view. */
  grid: 'grid',
  /**
   * The graphs' panes; carry data-boxes with the number of boxes drawn, data-selected with the id of the
   * selected box, and data-origin with that of the box that has the flag.
   */
  graphDebug: 'graph-debug',
  graphBench: 'graph-bench',
  /** The inspector pane; carries data-node with the name of the node that it shows. */
  inspector: 'inspector',
  advisor: 'advisor',
  /** The card over all steps and ranks. */
  overall: 'overall',
  /** What came out of the pair each time it was read. */
  history: 'history',
  /** Says that the files on screen have changed since they were read. */
  outdated: 'outdated',
  /** The status line at the bottom. */
  status: 'status',
  /** One card per problem (role alert); carries data-code with the problem's code. */
  problem: 'problem',
  /** The notice that the engine was restarted. */
  engineRestarted: 'engine-restarted',
  theme: 'theme',
  language: 'language',
  palette: 'palette',
  keys: 'keys',
  search: 'search',
} as const

/** What the window offers to tests and to the console as `window.plumbline`. */
export interface Plumbline {
  /** Runs a command of the table in renderer/state/commands.ts. */
  run(id: string): void
  /** Resolves when no job, no call and no frame is pending. */
  idle(): Promise<void>
  /** Bytes and time per call to the engine. */
  meter(): Readonly<
    Record<
      string,
      {
        readonly calls: number
        readonly bytes: number
        readonly largest: number
        readonly ms: number
        readonly slowest: number
      }
    >
  >
  /** The store's state: sides, selection, open nodes … */
  state(): Readonly<Record<string, unknown>>
}
