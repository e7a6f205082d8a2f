// Which facts a text names in braces, as types: a text that names one that nobody gives does not compile.
import type { Fact } from '../../../main/engine/model/shared.ts'

/** The names in braces. */
export type Places<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Places<Rest> : never

/** Names of the facts; none of a table that may hold nothing. */
type Named<Facts> = string extends keyof Facts ? never : keyof Facts

/** Each text where it names facts of its key (or such as all have), else what it should not name. */
type Fitting<Texts, Table, Always> = {
  readonly [Key in keyof Texts]: Key extends keyof Table
    ? [Exclude<Places<Texts[Key]>, Named<Table[Key]> | Always>] extends [never]
      ? Texts[Key]
      : { readonly noFact: Exclude<Places<Texts[Key]>, Named<Table[Key]> | Always> }
    : never
}

/** A text for every key of a table of facts; each names only facts of its key, or such as all have. */
export const sentences =
  <Table, Always extends string = never>() =>
  <const Texts extends { readonly [Key in keyof Table]: string }>(
    texts: Texts & Fitting<Texts, Table, Always>,
  ): Texts =>
    texts

/** What the places of a text need. */
export type FactsFor<Text> = { readonly [Name in Places<Text>]: Fact }
