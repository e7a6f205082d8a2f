// What a format is: how a path is known to hold it, and how what lies there is opened.
import { baseOf, type Entry, type Files, join, seenIn } from '../io/index.ts'
import type { Dump, Problem, Rules } from '../model/index.ts'
import type { Job, Pool } from '../work/index.ts'
import type { Growing } from './growing.ts'
import type { GraphFile } from './graph-file/graph-file.ts'
import type { KernelDump } from './kernel/kernel-dumps.ts'
import type { SheetTable } from './result-table/cell-table.ts'
import type { Shared } from './shared.ts'

/** Where one side of a unit lies. Plain data: it can be sent to a thread or kept for another run. */
export interface Place {
  /** The folder of a dump, or the file that holds it. */
  readonly path: string
  readonly step: number | null
  readonly rank: number | null
  /** The very dump file, where one was named instead of its folder. */
  readonly dump?: string
  /** A stack.json that is kept elsewhere. */
  readonly stack?: string
  /** The folders of this step and rank, where a format spreads them below `path`. */
  readonly folders?: readonly string[]
  /** Files and folders by what they are to the format, where it takes several kinds of them. */
  readonly sources?: Readonly<Record<string, readonly string[]>>
  /** Which of what lies there is meant, in the format's own words. */
  readonly part?: string
  /** Others that are shown with it. */
  readonly beside?: readonly Place[]
}

/** One of the steps and ranks that lie in a single place. */
export interface Part {
  readonly place: Place
  /** Both sides lie in it. */
  readonly pair: boolean
  /** Where the other side lies, where that is another place. */
  readonly bench?: Place
  /** What it is called where step and rank do not tell it from the others. */
  readonly name?: string
  /** Of another run than the one that is shown first. */
  readonly aside?: boolean
  /** What the sides are called, where not as in all parts. */
  readonly sideNames?: readonly string[]
  /** Two sides can be compared where this is equal. */
  readonly mode: string
}

export interface Parts {
  readonly parts: readonly Part[]
  readonly problems: readonly Problem[]
  /** What each side is called by, where that is not the path that was given. */
  readonly roots?: { readonly debug: string; readonly bench: string }
}

/** What comes out of a place. Each is read by one row of the table in study/sources.ts. */
export interface Contents {
  /** One side of one rank, in the columns that everything after works on. */
  readonly dump: Dump
  /** A hierarchy with its own matches and numbers, of both sides or of one. */
  readonly graph: GraphFile
  /** A finished comparison. */
  readonly table: SheetTable
  /** One side of one rank of a static graph. */
  readonly kernels: KernelDump
  /** What a table says of single calls; shown by a study of its own, or beside a dump of these calls. */
  readonly verdicts: SheetTable
  /** Values over steps and ranks, which are read by a study of their own. */
  readonly series: Place
  /** Tables of what surrounds runs, which are read by a study of their own. */
  readonly sheets: Place
  /** Results of many steps and ranks, which are read by a study of their own. */
  readonly dataset: Place
}

export type Holding = keyof Contents

export interface OpenPorts {
  readonly files: Files
  /** Where parsed dumps are kept between openings; '' keeps nothing. */
  readonly cacheDir: string
  readonly rules: Rules
  readonly shared: Shared
  /** Where large files are read; null where this thread has nothing else to do. */
  readonly threads: Pick<Pool, 'run'> | null
  /** Somebody looks at what is there before the end. */
  readonly partial: boolean
}

export interface FormatOf<H extends Holding> {
  readonly id: string
  readonly holds: H
  /** The place that a path stands for; null where it holds nothing of this format. */
  find(at: Candidate, job: Job): Place | null | Promise<Place | null>
  /**
   * The steps and ranks of a place that holds several; absent where a place is one of them. `beside`: other places
   * of the format that were given with it, for formats that lie in several.
   */
  parts?(place: Place, ports: OpenPorts, job: Job, beside: readonly Place[]): Promise<Parts>
  /**
   * Steps and ranks of one side that lie in a single place, without folders of their own; of two sides where it holds
   * both. Absent where a place is one step and rank.
   */
  sides?(place: Place, files: Files): readonly (readonly Place[])[]
  /** Places that are given together make one study. */
  readonly liesInSeveral?: boolean
  /** The place that a path stands for where others of the format are given with it, and it may be another's alone. */
  findBeside?(at: Candidate, job: Job): Promise<Place | null>
  /** Whether a place is a further part of the run that others are parts of, rather than another in the place of one of them. */
  completes?(
    opened: readonly Place[],
    place: Place,
    ports: Pick<OpenPorts, 'files'>,
    job: Job,
  ): Promise<boolean>
  open(place: Place, ports: OpenPorts, job: Job): Growing<Contents[H]>
  /** Whether values of tensors were kept, from a few bytes. */
  ofTensors?(place: Place, files: Files): boolean
  /** What was opened, as its files are now; the same one when they have not changed. */
  follow?(old: Contents[H], ports: OpenPorts, job: Job): Promise<Contents[H]>
  /** Bench item per debug item, where the format says who meets whom. */
  meet?(debug: Contents[H], bench: Contents[H]): Int32Array
}

export type Format = { [H in Holding]: FormatOf<H> }[Holding]

/** A path that was given or found, listed once however many formats ask. */
export class Candidate {
  readonly files: Files
  readonly path: string
  readonly kind: Entry['kind']
  #entries: readonly Entry[] | null = null

  constructor(files: Files, path: string, kind: Entry['kind']) {
    this.files = files
    this.path = path
    this.kind = kind
  }

  get name(): string {
    return baseOf(this.path)
  }

  /** What lies in the folder; nothing where it is a file. */
  get entries(): readonly Entry[] {
    return (this.#entries ??= this.#list())
  }

  has(file: string): boolean {
    return this.entries.some(entry => entry.kind === 'file' && entry.name === file)
  }

  below({ name, kind }: Entry): Candidate {
    return new Candidate(this.files, join(this.path, name), kind)
  }

  folders(): readonly Candidate[] {
    return this.entries.filter(entry => entry.kind === 'folder').map(entry => this.below(entry))
  }

  #list(): readonly Entry[] {
    if (this.kind === 'folder') return this.files.list(this.path)
    // A link to a file, or to somewhere that was not opened, holds nothing for us.
    return this.kind === 'link' ? seenIn(this.files, this.path) : []
  }
}

/** The place of a file or folder that stands for itself. */
export const placeAt = (path: string, step: number | null = null, rank: number | null = null): Place => ({
  path,
  step,
  rank,
})
