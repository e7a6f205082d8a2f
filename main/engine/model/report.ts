// What can be written.

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

/** What is to be written, and where. */
export interface ReportOrder {
  readonly format: ReportFormat
  /** Folder that the user chose. */
  readonly folder: string
  /** For the page: drawings of the graphs. */
  readonly pictures?: readonly ReportPicture[]
  /** For the page: what the user noted on nodes, or only pinned. */
  readonly notes?: readonly ReportNote[]
  /** Of the sentences in texts and pages. */
  readonly language: 'en' | 'zh'
}
