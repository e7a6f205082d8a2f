// The states that the gallery shows: what the made-up engine holds, and what was done in the window before
// the picture.
import type { Settings } from '../../preload/contract/host.ts'
import type { Mood } from './fake-engine.ts'
import type { FakeOptions } from './fake-model.ts'

export interface State {
  readonly title: string
  readonly model?: Partial<FakeOptions>
  readonly mood?: Mood
  readonly settings?: Partial<Settings>
  /** Nothing is opened. */
  readonly closed?: true
  /** Commands to run, or `dialog:name`, one after the other. */
  readonly acts?: readonly string[]
  readonly selected?: string
  readonly width?: number
  readonly height?: number
}

const recent = [
  {
    paths: ['/data/runs/2026-11-17/npu_dump', '/data/runs/2026-11-17/gpu_dump'],
    title: 'npu_dump ↔ gpu_dump',
    at: 1_763_400_000_000,
    runs: [
      {
        at: 1_763_400_000_000,
        rows: 2310,
        differs: 231,
        node: 'Cell.model.layers.1.attention.qkv_proj.Dense.forward.0',
        step: 0,
        rank: 0,
      },
    ],
  },
  {
    paths: [
      '/data/me/a/very/long/way/to/the/folder/of/the/second/attempt/with/deterministic/on/npu_dump',
      '/data/me/bench_dump',
    ],
    title: 'npu_dump ↔ bench_dump',
    at: 1_763_300_000_000,
    runs: [],
  },
]

export const states: Readonly<Record<string, State>> = {
  empty: { title: 'Nothing opened', closed: true, settings: { recent } },
  'empty-dark-zh': {
    title: 'Nothing opened, dark, Chinese',
    closed: true,
    settings: { recent, theme: 'dark', language: 'zh' },
  },
  compare: { title: 'A comparison' },
  'compare-dark': { title: 'A comparison, dark', settings: { theme: 'dark' } },
  'compare-zh': { title: 'A comparison, Chinese', settings: { language: 'zh' } },
  'compare-dark-zh': { title: 'A comparison, dark, Chinese', settings: { theme: 'dark', language: 'zh' } },
  values: { title: 'Values of a tensor', acts: ['tab-values'] },
  'values-dark': { title: 'Values of a tensor, dark', acts: ['tab-values'], settings: { theme: 'dark' } },
  stack: { title: 'Stack', acts: ['tab-stack'] },
  raw: { title: 'Raw entry', acts: ['tab-raw'] },
  nodes: { title: 'Lists of nodes', acts: ['panel-nodes'] },
  'safe-colours': { title: 'Colour-blind-safe palette', settings: { safeColours: true } },
  'safe-colours-dark': {
    title: 'Colour-blind-safe palette, dark',
    settings: { safeColours: true, theme: 'dark' },
  },
  comfortable: { title: 'Comfortable density', settings: { density: 'comfortable' } },
  single: { title: 'One dump alone', model: { single: true } },
  agreeing: { title: 'Nothing differs', model: { failing: false } },
  'no-rows': { title: 'No rows', mood: 'empty' },
  loading: { title: 'Everything on its way', mood: 'slow' },
  failing: { title: 'Broken parts', mood: 'failing' },
  wide: { title: '10,000 siblings', model: { siblings: 10_000 }, acts: ['expand-1'] },
  deep: { title: '60 levels', model: { depth: 60 }, acts: ['expand-failing'] },
  'long-names': { title: 'Names of 500 letters', model: { longNames: 500 }, acts: ['expand-1'] },
  million: { title: 'A million rows', model: { rows: 1_000_000 } },
  'ten-million': { title: 'Ten million rows', model: { rows: 10_000_000 } },
  palette: { title: 'Palette', acts: ['palette'] },
  keys: { title: 'Keys', acts: ['keys'] },
  'keys-zh-dark': {
    title: 'Keys, Chinese, dark',
    acts: ['keys'],
    settings: { language: 'zh', theme: 'dark' },
  },
  settings: { title: 'Settings', acts: ['settings'] },
  thresholds: { title: 'Thresholds', acts: ['thresholds'] },
  export: { title: 'Export', acts: ['export'] },
  small: { title: '1024 × 640', width: 1024, height: 640 },
  'small-zh-dark': {
    title: '1024 × 640, Chinese, dark',
    width: 1024,
    height: 640,
    settings: { language: 'zh', theme: 'dark' },
  },
  large: { title: '2560 × 1440', width: 2560, height: 1440 },
}

export const plainSize = { width: 1520, height: 940 } as const
