// What can be written.
import type { ExperimentId } from './collect.ts'

export const tableFormats = ['xlsx', 'csv', 'arrow', 'parquet'] as const
export type TableFormat = (typeof tableFormats)[number]

export type ReportFormat = TableFormat | 'json' | 'advisor' | 'vis' | 'vis.db' | 'html'

export interface ReportPicture {
  readonly name: string
  readonly svg: string
}

export interface ReportNote {
  readonly node: string
  readonly text: string
}

/** A run that was made to tell suspects apart, and what it told. */
export interface ReportTried {
  readonly id: ExperimentId
  /** The suspect that it was about; '' for the whole run. */
  readonly node: string
  /** When it was put down, in milliseconds. */
  readonly at: number
  readonly outcome: 'open' | 'ruled-out' | 'confirmed'
  readonly text: string
}

/** What is to be written, and where. */
export interface ReportOrder {
  readonly format: ReportFormat
  /** Folder that the user chose. */
  readonly folder: string
  /** For the page: drawings of the graphs. */
  readonly pictures?: readonly ReportPicture[]
  /** For the page: what the user noted on nodes, or only pinned. */
  readonly notes?: readonly ReportNote[]
  /** For the page: runs that were made to tell suspects apart. */
  readonly tried?: readonly ReportTried[]
  /** Of the sentences in texts and pages. */
  readonly language: 'en' | 'zh'
}
