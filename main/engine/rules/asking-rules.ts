// What rule sets make of paths and options that msprobe takes as they come, or not at all.

export interface AskingRules {
  /** More than one mapping at once is refused; msprobe takes one of them without a word. */
  readonly oneMapping: boolean
  /** Folders of kernels in which nothing could be compared are refused; msprobe is content with nothing. */
  readonly kernelsNeeded: boolean
  /** Stacks that a compare.json does not name are refused; msprobe looks beside the dump all the same. */
  readonly stackPathNeeded: boolean
  /** A compare.json may also name folders of a rank and whole roots of dumps. */
  readonly anyFolders: boolean
}

export const askedAsMsprobe: AskingRules = {
  oneMapping: false,
  kernelsNeeded: false,
  stackPathNeeded: false,
  anyFolders: false,
}
