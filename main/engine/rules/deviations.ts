// Where Plumbline's own rules differ from msprobe 1.2.2: one row each, read by the code that differs and printed as
// docs/parity.md.
interface Deviation {
  readonly id: string
  readonly area:
    | 'matching'
    | 'mapping'
    | 'statistics'
    | 'tensors'
    | 'md5'
    | 'highlight'
    | 'input'
    | 'ranks'
    | 'kernels'
    | 'output'
    | 'graph'
  /** `plumbline`: in rule sets that deviate. `always`: the reference's way is not worth repeating in any. */
  readonly where: 'plumbline' | 'always'
  readonly reference: string
  readonly ours: string
  readonly why: string
}

export const deviations = [
  {
    id: 'join-by-name',
    area: 'matching',
    where: 'plumbline',
    reference:
      'PyTorch dumps are matched with two queues: reading stops for good when one side runs dry while the other still waits, and bench calls that were passed over are lost.',
    ours: 'Calls are matched by their item names wherever they stand; every debug call has its rows. With fuzzy matching the queues stay, but read to the end.',
    why: 'Rows vanished without a word, and a different order of equal calls looked like missing calls.',
  },
  {
    id: 'calls-without-inputs',
    area: 'matching',
    where: 'plumbline',
    reference:
      'In PyTorch dumps a call without inputs, and every gradient of parameters, matches only if dtype and shape are the same, in md5 mode only if the md5s are the same too.',
    ours: 'They match by the rules of all other calls.',
    why: 'In md5 mode a wrong gradient was reported as having no partner instead of being different.',
  },
  {
    id: 'fuzzy-mindspore',
    area: 'matching',
    where: 'plumbline',
    reference: 'The fuzzy switch changes nothing for MindSpore dumps.',
    ours: 'Calls are aligned by names without call numbers, as for PyTorch; what stays alone meets by its exact name.',
    why: 'The documents describe the switch for MindSpore.',
  },
  {
    id: 'unmatched-in-list',
    area: 'mapping',
    where: 'plumbline',
    reference: 'An entry of a data mapping whose bench name does not exist gives no row.',
    ours: 'It gives an unmatched row; an unknown debug name gives a note.',
    why: 'Rows vanished.',
  },
  {
    id: 'layer-map-any',
    area: 'mapping',
    where: 'plumbline',
    reference: 'A layer mapping is ignored for PyTorch dumps.',
    ours: 'It works for every pair of frameworks.',
    why: 'Ignoring an option that was given misleads.',
  },
  {
    id: 'layer-map-flat',
    area: 'mapping',
    where: 'plumbline',
    reference:
      'A layer mapping without effect, where the debug side has no hierarchy (level L1), is passed over; where the bench side has none, nothing matches.',
    ours: 'It is refused.',
    why: 'What came out looked like an answer.',
  },
  {
    id: 'api-map-forms',
    area: 'mapping',
    where: 'always',
    reference:
      'The api mapping file must be a list and spell ms_output; the documented form (one mapping, ms_outputs) crashes.',
    ours: 'Both forms and both spellings are read; missing lists count as empty.',
    why: 'The documented form has to work.',
  },
  {
    id: 'api-map-index',
    area: 'mapping',
    where: 'plumbline',
    reference: 'An index of an api mapping matches by its text, so 1 also matches 10.',
    ours: 'It matches whole segments: 1 and 1.0, not 10.',
    why: 'Argument 10 was renamed by a rule for argument 1.',
  },
  {
    id: 'layer-map-keys',
    area: 'mapping',
    where: 'always',
    reference: 'Unquoted numbers as layer names crash.',
    ours: 'They are read as text.',
    why: 'A mapping file should not depend on quotes.',
  },
  {
    id: 'exact-numbers',
    area: 'statistics',
    where: 'plumbline',
    reference:
      'For MindSpore dumps the statistics are printed and read again by a reader that rounds wrongly before they are subtracted.',
    ours: 'Differences are taken from the numbers as dumped.',
    why: 'A third of all numbers changed in the last digits.',
  },
  {
    id: 'warn-on-any',
    area: 'statistics',
    where: 'plumbline',
    reference:
      'For MindSpore dumps a row is a Warning only if all four statistics are off, measured against the signed maximum.',
    ours: 'One statistic that is off is enough, measured against the larger absolute value, as for PyTorch and as documented.',
    why: 'Rows whose mean is zero on both sides could never be a Warning.',
  },
  {
    id: 'numeric-text',
    area: 'statistics',
    where: 'always',
    reference: 'A text argument that looks like a number crashes the comparison of MindSpore dumps.',
    ours: 'It is no number: N/A.',
    why: 'The row is harmless.',
  },
  {
    id: 'nan-text',
    area: 'statistics',
    where: 'always',
    reference: 'A text argument that reads nan counts as the number NaN in MindSpore dumps.',
    ours: 'It is a text: N/A.',
    why: 'It is a text.',
  },
  {
    id: 'unmatched-none-md5',
    area: 'md5',
    where: 'plumbline',
    reference: 'An unmatched None of a MindSpore dump has the result pass.',
    ours: 'N/A, as for every unmatched row.',
    why: 'Nothing was compared.',
  },
  {
    id: 'unmatched-md5-shown',
    area: 'md5',
    where: 'plumbline',
    reference: 'For PyTorch dumps the md5 of an unmatched item is not shown.',
    ours: 'It is shown.',
    why: 'It is known.',
  },
  {
    id: 'empty-tensor',
    area: 'tensors',
    where: 'plumbline',
    reference: 'Tensors without elements have five metrics of 0 and are not reached.',
    ours: 'Their metrics are unsupported and the answer is None, as documented.',
    why: 'Two empty tensors are not different.',
  },
  {
    id: 'missing-file-name',
    area: 'tensors',
    where: 'plumbline',
    reference: 'A missing file is always reported with the name of the debug side.',
    ours: 'The message names the file that is missing.',
    why: 'People searched in the wrong folder.',
  },
  {
    id: 'debug-file-name',
    area: 'tensors',
    where: 'plumbline',
    reference: 'The debug file is looked up by item name and the framework’s usual extension.',
    ours: 'It is looked up by its data_name.',
    why: 'A dump of the other kind would have no files.',
  },
  {
    id: 'bench-file-name',
    area: 'tensors',
    where: 'plumbline',
    reference:
      'The bench file is looked for by cutting the item name at words such as .input. and .output.; a module called output, or an argument called input, has none.',
    ours: 'It is looked up by its data_name.',
    why: 'Half of the tensors of a BERT were not compared.',
  },
  {
    id: 'file-letters',
    area: 'tensors',
    where: 'plumbline',
    reference:
      'A tensor file whose name holds other characters than letters without accents, digits and _ . : / - is reported as not found.',
    ours: 'It is read.',
    why: 'Names are free.',
  },
  {
    id: 'foreign-bench',
    area: 'tensors',
    where: 'always',
    reference: 'With -f pytorch the bench files of a MindSpore dump are reported as not found.',
    ours: 'They are read.',
    why: 'They are there.',
  },
  {
    id: 'bench-extension',
    area: 'tensors',
    where: 'always',
    reference: 'With an api or cell mapping the bench files are read as .pt whatever they are.',
    ours: 'The extension decides.',
    why: 'MindSpore against MindSpore crashed.',
  },
  {
    id: 'broken-tensor',
    area: 'tensors',
    where: 'always',
    reference: 'A broken npy file ends the comparison.',
    ours: 'Its row says that the file is missing; the rest is compared.',
    why: 'One bad file must not cost the rest.',
  },
  {
    id: 'scalar-against-tensor',
    area: 'tensors',
    where: 'always',
    reference: 'A 0-d tensor against one with dimensions is broadcast or crashes.',
    ours: 'The shapes do not match.',
    why: 'There is nothing to compare element by element.',
  },
  {
    id: 'highlight-denominator',
    area: 'highlight',
    where: 'plumbline',
    reference: 'The maximum relative error of the highlight divides by the bench maximum or 2.2e-16.',
    ours: 'It divides by the bench maximum or 0.01, as documented.',
    why: 'Every small difference with a bench maximum of zero or below was red.',
  },
  {
    id: 'highlight-both',
    area: 'highlight',
    where: 'plumbline',
    reference:
      'The rule for maximum absolute errors above 1 on both sides counts an input below 1 as being of order 0.',
    ours: 'Both must exceed 1, as the text of the rule says.',
    why: 'The text was wrong for half of its rows.',
  },
  {
    id: 'odd-names',
    area: 'input',
    where: 'always',
    reference: 'A module path that contains a segment forward or backward ends the comparison.',
    ours: 'The part of the dump that an item stands in says what it is.',
    why: 'Names are free.',
  },
  {
    id: 'odd-texts',
    area: 'input',
    where: 'always',
    reference: 'A text argument that starts with + - = @ or % ends the comparison.',
    ours: 'It is shown, noted, and can never become a formula.',
    why: 'The dump is harmless.',
  },
  {
    id: 'new-stacks',
    area: 'input',
    where: 'plumbline',
    reference: 'A stack.json of the newer layout gives no stacks.',
    ours: 'Both layouts are read.',
    why: 'The stacks are there.',
  },
  {
    id: 'read-only-dump',
    area: 'input',
    where: 'always',
    reference: 'Tensor folders must be writable.',
    ours: 'They are only read.',
    why: 'Archives are read-only.',
  },
  {
    id: 'rank-order',
    area: 'ranks',
    where: 'plumbline',
    reference: 'Ranks are sorted as text and paired by position.',
    ours: 'They are sorted as numbers and paired by number; by position only where the numbers differ.',
    why: 'rank10 came before rank2.',
  },
  {
    id: 'stray-entries',
    area: 'ranks',
    where: 'plumbline',
    reference: 'Any other file or folder beside the ranks ends the comparison.',
    ours: 'It is skipped with a note.',
    why: 'A log file is no reason to stop.',
  },
  {
    id: 'failed-rank',
    area: 'ranks',
    where: 'plumbline',
    reference: 'A rank that fails stops the rest.',
    ours: 'The others are compared.',
    why: 'One broken rank must not cost the rest.',
  },
  {
    id: 'kernel-dots',
    area: 'kernels',
    where: 'always',
    reference: 'A dot anywhere in the path of a kernel dump hides all its files.',
    ours: 'File names are read without their folder.',
    why: 'Dots are common in paths.',
  },
  {
    id: 'kernel-long-names',
    area: 'kernels',
    where: 'plumbline',
    reference: 'mapping.csv, which holds the names that were too long for a file, has no effect.',
    ours: 'Files are matched under the names that it gives.',
    why: 'These kernels were reported as missing.',
  },
  {
    id: 'kernel-order',
    area: 'kernels',
    where: 'always',
    reference: 'Rows come in the order of the file system’s listing.',
    ours: 'They come in the order of names.',
    why: 'The same input must give the same table.',
  },
  {
    id: 'kernel-empty',
    area: 'kernels',
    where: 'always',
    reference: 'An empty kernel tensor ends the comparison.',
    ours: 'Its row says that the data is empty.',
    why: 'One file must not cost the rest.',
  },
  {
    id: 'nothing-matched',
    area: 'output',
    where: 'plumbline',
    reference: 'Where no row comes about, nothing is written and the command has succeeded.',
    ours: 'It has failed.',
    why: 'It looked as if nothing differed.',
  },
  {
    id: 'layer-map-files',
    area: 'output',
    where: 'always',
    reference: 'The layer map of each rank is written over that of the rank before.',
    ours: 'Each rank has its own.',
    why: 'Only the last one was left.',
  },
  {
    id: 'merge-strays',
    area: 'output',
    where: 'plumbline',
    reference: 'Merging stops at any other workbook in the folder.',
    ours: 'Other workbooks are skipped with a note.',
    why: 'They do no harm.',
  },
  {
    id: 'config-meaning',
    area: 'input',
    where: 'plumbline',
    reference:
      'The configuration check of 26.x compares texts (1 and 1.0, 0 and a missing 0 differ), looks at six environment variables and eight packages, puts the second package into the columns of the first, and passes where weights are on one side only. Of a checkpoint it takes all pipeline stages to be as long as the first.',
    ours: 'Settings are compared by what they mean, further variables and packages that decide about results are looked at, columns are named right, and a name on one side only counts; secrets are not shown. Layers of a checkpoint are counted stage by stage.',
    why: 'Differences that are none hid those that are.',
  },
  {
    id: 'config-outside',
    area: 'input',
    where: 'always',
    reference: 'A member of a package whose path leads outside is unpacked without that part of its path.',
    ours: 'The package is refused; nothing is unpacked at all.',
    why: 'No honest package has one.',
  },
  {
    id: 'merge-unusable',
    area: 'output',
    where: 'always',
    reference: 'Merging loses all results that happen to be read together with one of another kind.',
    ours: 'Only that one is left out, with a note.',
    why: 'What was lost depended on the number of processors.',
  },
  {
    id: 'too-many-rows',
    area: 'output',
    where: 'always',
    reference: 'More rows than a sheet holds fail.',
    ours: 'The workbook is split.',
    why: 'The comparison was already done.',
  },
  {
    id: 'graph-small-values',
    area: 'graph',
    where: 'plumbline',
    reference: 'The index of a node counts the relative error of every value, however small.',
    ours: 'Values below 1e-6 (float32) or 1e-3 (float16, bfloat16) are judged by their absolute error, as documented.',
    why: 'Noise around zero made good nodes red.',
  },
  {
    id: 'graph-parameters',
    area: 'graph',
    where: 'plumbline',
    reference: 'Parameters count as inputs of their module.',
    ours: 'A node is judged by what flows through it, as in the documented version; parameters stand in the table.',
    why: 'In tensor mode a wrong weight hid the fault that it made.',
  },
  {
    id: 'graph-api-parents',
    area: 'graph',
    where: 'plumbline',
    reference: 'A backward call without a recorded parent is put where its forward call would stand.',
    ours: 'It stays at the top, as in the documented version.',
    why: 'The place was guessed.',
  },
  {
    id: 'graph-groups',
    area: 'graph',
    where: 'plumbline',
    reference:
      'In tensor mode groups of free calls are rolled up before any tensor is read and always show 0.',
    ours: 'They show the worst of their calls.',
    why: 'A fault in a group was invisible while it was closed.',
  },
  {
    id: 'graph-lone-groups',
    area: 'graph',
    where: 'plumbline',
    reference:
      'A group of free calls without partner has an index all the same, 0 where nothing was compared.',
    ours: 'What has no partner has no index.',
    why: 'It looked as if it had been compared and was well.',
  },
  {
    id: 'graph-structure',
    area: 'graph',
    where: 'plumbline',
    reference: 'Nodes of dumps without values have an index of 0, and their inputs five blank metrics.',
    ours: 'They have none.',
    why: 'Nothing was measured.',
  },
  {
    id: 'graph-tensor-folder',
    area: 'graph',
    where: 'always',
    reference: 'The folder of the tensors is the one that the dump was first written to.',
    ours: 'It is the one beside the dump.',
    why: 'Dumps are moved.',
  },
  {
    id: 'graph-no-stack',
    area: 'graph',
    where: 'always',
    reference:
      'A backward node shows a sentence where its forward node has not come yet or is not in the hierarchy.',
    ours: 'It shows the stack of its forward call wherever that is, else nothing.',
    why: 'The stack is there.',
  },
  {
    id: 'graph-surplus',
    area: 'graph',
    where: 'plumbline',
    reference:
      'A surplus debug item gets five blanks for eight columns; the last three show its own statistics.',
    ours: 'All eight are blank.',
    why: 'The columns were shifted.',
  },
  {
    id: 'graph-orphans',
    area: 'graph',
    where: 'plumbline',
    reference: 'A parent that construct.json names but does not describe cannot be reached from the root.',
    ours: 'It hangs below the root.',
    why: 'Everything below it was lost.',
  },
  {
    id: 'graph-overflow-buffers',
    area: 'graph',
    where: 'plumbline',
    reference:
      'A call whose buffers may hold anything is not judged at all, and only PyTorch tensors directly in a part can grow.',
    ours: 'Only the buffers are left out; every tensor counts.',
    why: 'An Inf that was received went unnoticed.',
  },
  {
    id: 'graph-peers',
    area: 'graph',
    where: 'plumbline',
    reference:
      'Communication calls are linked only when the group is a keyword and both ends of a pair hold the same tensor.',
    ours: 'Groups by position, groups by name and the default group count too; a pair is a pair.',
    why: 'Most calls name no group, and a wrong transfer is what one looks for.',
  },
  {
    id: 'graph-folders',
    area: 'graph',
    where: 'plumbline',
    reference: 'Strays, missing ranks and leading zeros end the command.',
    ours: 'What both sides have is compared; what was left out is named.',
    why: 'One missing rank must not cost the rest.',
  },
] as const satisfies readonly Deviation[]

type DeviationId = (typeof deviations)[number]['id']
/** Per deviation: true where our way is taken. */
export type Deviations = Readonly<Record<DeviationId, boolean>>

/** Those of a rule set that follows the reference where that is possible, and of one that does not. */
export const deviate = (everywhere: boolean): Deviations =>
  Object.fromEntries(deviations.map(d => [d.id, everywhere || d.where === 'always'])) as Deviations
