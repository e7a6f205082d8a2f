// One sentence per problem code: what, where, what to do.
import type { ProblemCode, ProblemFacts } from '../../../main/engine/model/shared.ts'
import { sentences } from './facts.ts'

type Facts = { [Code in ProblemCode as `problem.${Code}`]: ProblemFacts[Code] }

export const en = sentences<Facts, 'path'>()({
  'problem.not-found': '{path} does not exist. Check the path.',
  'problem.not-readable':
    '{path} cannot be read ({reason}). Check its permissions, and whether the disk is still there.',
  'problem.not-a-dump':
    '{path} is no msprobe dump. Give a folder that holds dump.json, its rank or step folder, or the dump.json itself.',
  'problem.not-a-folder': '{path} is not a folder. Give the folder that holds the dump.',
  'problem.not-a-file': '{path} is not a file. Give the file itself, not its folder.',
  'problem.left-out':
    '{path} was left out: two dumps at most are compared, and what holds both sides already stands alone.',
  'problem.formats-differ':
    '{path} and {other} are of two kinds. Compare a dump with a dump, or a tensor file with a tensor file.',
  'problem.one-dump': '{path} holds {count} dumps, and one is wanted. Give one of them, such as {example}.',
  'problem.several-dumps': '{path} holds {count} dumps. Choose which two are compared, or open one of them.',
  'problem.packed':
    '{path} is packed in a way that is not read here; .tar, .tar.gz, .tgz and .zip are. Unpack it, then give the folder that holds the dump.',
  'problem.archive-too-large':
    '{path} would unpack to more than {limit} bytes: more than there is room for, or than an honest archive of its size holds. Unpack it where there is room, then give the folder.',
  'problem.archive-entries':
    '{path}: {count} entries are links or would lie outside of it and were left out, such as {first}. Unpack it yourself if the dump needs them.',
  'problem.same-folder-twice': '{path} was given for both sides. Choose another folder for the bench.',
  'problem.unknown-file':
    '{path} is nothing that can be opened here. Give a dump folder, dump.json, compare.json, .vis, .vis.db, or a compare result.',
  'problem.too-large':
    '{path} is larger ({size} bytes) than what is read in one piece ({limit} bytes). Give the right file, or a smaller one.',
  'problem.outside-root': '{path} lies outside of what was opened and is not read. Open its folder instead.',
  'problem.json-broken':
    '{path} is not valid JSON at line {line}, column {column} (byte {byte}); what stands before was read. Dump again, or mend the file there.',
  'problem.json-truncated':
    '{path} ends in the middle, at line {line} (byte {byte}); what stands before was read. Wait until the dump is finished, or copy it again.',
  'problem.json-deep':
    '{path} is nested too deeply to be a dump; that part was left out. Check whether this is the right file.',
  'problem.bad-value':
    '{path}: {op} has a value that cannot be used ({field}: {text}); it is shown as absent. Check how it was dumped.',
  'problem.duplicate-key':
    '{path}: {key} stands there more than once (byte {byte}); the last one counts. Check whether two dumps were merged.',
  'problem.invalid-utf8':
    '{path} holds bytes that are no UTF-8 text (byte {byte}); they are shown as �. Save the file as UTF-8.',
  'problem.shape-absurd':
    '{path} names a tensor shape that no memory could hold; its data is not read. Check the dump.',
  'problem.suspicious-text':
    '{path}: {op} has a text that spreadsheets would run as a formula ({text}). It is written as plain text; check where it comes from.',
  'problem.no-hierarchy':
    '{path}: the hierarchy (construct.json) is missing or empty. Dump again with level L0 or mix.',
  'problem.no-stack':
    '{path}: there is no stack.json beside it, and a layer mapping needs one. Copy it from the dump, or dump again.',
  'problem.no-tensors':
    '{path}: the folder dump_tensor_data is missing, but the task is tensor. Copy it from the dump, or dump again with task statistics.',
  'problem.empty-dump': '{path} holds no dump. Check whether the dump was written, or leave this folder out.',
  'problem.tasks-differ':
    '{path} cannot be compared with the other side: the tasks are {debug} and {bench}. Dump both sides with the same task.',
  'problem.task-not-comparable':
    '{path}: a dump with task "{task}" cannot be compared. Dump with task tensor or statistics.',
  'problem.modes-differ':
    '{path} and the other side were dumped differently: one has md5 sums, the other has none. Dump both with the same summary_mode.',
  'problem.compare-json-invalid':
    '{path} is not valid JSON ({reason}). It must be one object with npu_path and bench_path.',
  'problem.compare-json-missing-key':
    '{path} lacks "{key}", or it is empty. Add it, with the path of that side.',
  'problem.compare-json-mixed':
    '{path} names a file on one side and a folder on the other ({debug}, {bench}). Give two dump.json files or two folders.',
  'problem.compare-json-elsewhere':
    '{path} names {value}, which lies on another machine: asking it would send your login there. Open that folder yourself if you trust it.',
  'problem.compare-json-not-boolean': '{path}: "{key}" must be true or false without quotes.',
  'problem.compare-json-not-a-list':
    '{path}: "{key}" must be a list of whole numbers such as [0, 1]; [] means all.',
  'problem.stack-path-missing':
    '{path} has no "stack_path", and -s asks for call stacks. Add "stack_path": "{suggestion}", or leave -s out.',
  'problem.ranks-differ':
    'The ranks of {path} and {bench} do not correspond. Both step folders must hold the same number of rank folders; copy what is missing.',
  'problem.steps-differ':
    'Step {step} is missing under {path}; it was left out. Dump the same steps on both sides.',
  'problem.stray-entry':
    '{path} is no rank folder; it was left out. Keep only rank folders in a step folder.',
  'problem.stray-entry-stops':
    '{path} is no rank folder, and msprobe 1.2.2 stops there. Move it elsewhere, or use --rules plumbline.',
  'problem.nothing-matched-by':
    'Nothing in {path} has a partner in {bench} by the mapping {mapping}. Check whether its names are those of these dumps (plumbline map check), or let plumbline map propose one.',
  'problem.nothing-matched':
    'Nothing in {path} has a partner in {bench}. Check whether these dumps belong together; for renamed nodes use fuzzy matching or a mapping.',
  'problem.option-unsupported':
    '{path}: {option} does not work for what is opened here. Leave it out, or choose another way of matching.',
  'problem.mapping-invalid':
    '{path} is not a valid {what} mapping: line {line} ({reason}). Correct the file there.',
  'problem.mapping-twice':
    'Only one mapping can be used at a time, but {options} were given. Choose one of them.',
  'problem.mapping-alone':
    '{path} is a mapping file. Open the two dumps first, then drop it into the window again.',
  'problem.noise-not-twins':
    '{path} tells no noise: two healthy runs of the same model are needed, or a saved noise profile. Give both folders.',
  'problem.noise-no-unit':
    'The twins in {path} have no step {step}, rank {rank}. Give twins with that step and rank, or a single pair for all.',
  'problem.noise-levels':
    'The twins {path} and {other} were dumped at different levels ({first}, {second}). Dump both at one level.',
  'problem.noise-other-level':
    'The twins in {path} were dumped at level {given}, the pair at {wanted}. Dump the twins at level {wanted}.',
  'problem.noise-other-model':
    '{path} is a run of another model: of {of} tensors of the pair it has {known}. Give twins of this model, or a saved noise profile.',
  'problem.noise-without-numbers':
    'The twins {path} and {other} hold checksums only, which do not say how far they are apart. Dump them with statistics or tensors.',
  'problem.noise-calls-differ':
    'The twins {path} and {other} do not make the same calls: only {met} of {of} tensors have a partner. Give two healthy runs of one model.',
  'problem.noise-data-differ':
    'The twins {path} and {other} were run on other data: {item} differs. Give two healthy runs on the same data and weights.',
  'problem.noise-twins-differ':
    'The twins {path} and {other} do not agree with each other: {apart} of {of} results are off by more than a twentieth of their range. Give two healthy runs on the same data and weights.',
  'problem.noise-not-a-profile':
    '{path} is no noise profile. Give a file saved by Plumbline, or two healthy runs.',
  'problem.noise-version':
    '{path} is a noise profile of version {version}; this Plumbline reads version {known}. Save it anew.',
  'problem.noise-broken': '{path} is not a valid noise profile: {field} is missing or wrong. Save it anew.',
  'problem.mapping-extension': '{path}: a mapping file must end in .yaml. Rename it, or give the right file.',
  'problem.mapping-encoding':
    '{path} is written in {encoding}, which msprobe does not read. It was opened all the same; save it to make it UTF-8.',
  'problem.mapping-entry-uneven':
    'The mapping of {api} was left out: its lists for {part} have {mine} and {theirs} entries. Give both the same length.',
  'problem.mapping-api-unknown':
    'The mapping names {api} and {to}, which these dumps do not both have; that entry has no effect.',
  'problem.mapping-name-unknown':
    'The mapping names {name}, which the dump does not have; that line has no effect. Names are those of dump.json.',
  'problem.name-unreadable':
    '{path}: the name {name} is not of the form that msprobe writes, so its layer is not known. Leave it out, or use another mapping.',
  'problem.npy-invalid': '{path} is no readable .npy file. Copy it again, or dump again.',
  'problem.npy-truncated':
    '{path} ends early: {expected} bytes of data are announced, {found} are there. Copy it again.',
  'problem.safetensors-invalid': '{path} is no valid safetensors file ({reason}). Copy it again.',
  'problem.pt-invalid': '{path} is no readable tensor file of PyTorch. Copy it again, or dump again.',
  'problem.raw-invalid': '{path} is no raw NPU dump. Give the file as the run wrote it, or its folder.',
  'problem.raw-cut':
    '{path} is cut short: its header alone takes {expected} bytes, {found} are there. Copy it again.',
  'problem.raw-truncated':
    '{path} ends early: {expected} bytes are announced, {found} are there, so that {missing} of its {parts} tensors are missing. Copy it again.',
  'problem.raw-slices':
    '{path} is one of {found} slices of an operation that was cut into {count}: what is there was put together. Copy the others, too.',
  'problem.raw-slices-apart':
    '{path} is one of {count} slices of an operation that do not fit together, so that only the newest is shown.',
  'problem.raw-longer':
    '{path} has {bytes} bytes more than its tensors take; they are left out. Copy it again if values look wrong.',
  'problem.ge-broken':
    '{path} is no graph of GE at line {line} (byte {byte}); the {ops} operators before it were read. Dump the graph again, or mend the file there.',
  'problem.ge-truncated':
    '{path} ends in the middle (byte {byte}); the {ops} operators before it were read. Wait until the run has written it, or copy it again.',
  'problem.ge-empty': '{path} holds no graph. Give a ge_proto_…_Build.txt, or the JSON that was made of one.',
  'problem.ge-dropped':
    '{path} holds {count} texts of more than {limit} bytes, which were left out. Dump the graph without weights (DUMP_GE_GRAPH=2) if they matter.',
  'problem.ge-other-stage':
    'No graph of the stage Build is there; {path} is used, which shows the graph as it was at another stage. Dump with DUMP_GRAPH_LEVEL=3, or name another file.',
  'problem.fusion-invalid':
    '{path} is no result of fusion at byte {byte}; what stands before was read. Copy fusion_result.json again.',
  'problem.meta-invalid': '{path} is no graph of TensorFlow. Give the .meta file that the saver wrote.',
  'problem.ge-superseded':
    '{path} holds the graph {graph} as well; that of {other}, which was written later, is used. Name the file to see the other one.',
  'problem.raw-tensor-truncated':
    '{path} does not hold all bytes of {tensor}; it is left out. Copy the file again, or dump again.',
  'problem.raw-alike': '{path}: the same is told of {count} more tensors ({what}).',
  'problem.raw-more': '{path}: the same is told of {count} more tensors.',
  'problem.raw-dtype':
    '{path}: {tensor} is of type {dtype}, whose values nobody has told how to read; its bytes are offered instead.',
  'problem.raw-layout-told':
    '{path}: the original shape of {tensor} does not fit the order that is told for it; the only one that fits {layout} was taken. Check the shape.',
  'problem.raw-layout-misfit':
    '{path}: the original shape of {tensor} does not fit what lies there, so that it stays in {layout}. Check the shape, or give the right one.',
  'problem.raw-layout-unknown':
    '{path}: nothing tells in which order the original shape of {tensor} is written, so that it stays in {layout}. Name the layout, or open it with its graph.',
  'problem.raw-layout-assumed':
    '{path}: the original shape of {tensor} could be read in several orders; the layout that was asked for was taken. Check it, or open the file with its graph.',
  'problem.op-debug-invalid':
    '{path} is no overflow record: it has {bytes} bytes of a form that is not known. Copy it again.',
  'problem.raw-pt-size':
    '{tensor} of {path} is larger than 4 GB, which a .pt written here does not hold. Save it with -t npy.',
  'problem.raw-no-tensor': '{path} has no {tensor}. Give the number of one that it has.',
  'problem.batch-nothing':
    'Neither {path} nor {other} holds an npy file or an operation. Give two folders that plumbline parse cad wrote, or two of raw dumps.',
  'problem.pkl-invalid':
    '{path} is no list of dumped calls: its lines are no JSON lists. Give the .pkl that early versions of the dumper wrote.',
  'problem.raw-none': '{path} holds no raw NPU dump. Give a file as the run wrote it, or its folder.',
  'problem.raw-no-layout':
    '{layout} is no layout that is known. Give one such as NHWC, NCHW, HWCN, NCDHW or ND.',
  'problem.raw-layout-unsupported':
    '{path}: {tensor} stays in the layout {layout}, from which no conversion is known. Ask for another one in the dump.',
  'problem.dtype-unsupported':
    '{path} holds values of type {dtype}; only plain numbers are read. All others are there; save these as numbers to see them.',
  'problem.zip-invalid': '{path} is damaged or no archive. Copy it again.',
  'problem.align-unfit':
    '{path} of shape {shape} cannot be shown like that without moving elements. Give every axis once, and a shape of as many elements.',
  'problem.foreign-broken': '{path} is not as its tool writes it: it was cut off or changed. Copy it again.',
  'problem.bundle-empty':
    '{path} holds no tensor files (safetensors, npz, pt). Choose the folder of the checkpoint.',
  'problem.bundle-index':
    '{path} is no index of shards: it has no weight_map from names to files. Copy it again.',
  'problem.bundle-shard':
    '{path} is missing, though the index names it; its tensors are not compared. Copy it too.',
  'problem.bundle-missing':
    '{path} does not hold {tensor}, though the index says so; it is not compared. Copy the file again.',
  'problem.slice-invalid':
    '{path} has the shape {shape}, to which the slice {part} does not fit. Give integers or a:b:c with commas between them.',
  'problem.several-tensors': '{path} holds several tensors ({names}). Name the one that is meant.',
  'problem.vis-invalid': '{path} is no .vis file of a known version. Build it again.',
  'problem.vis-truncated': '{path} ends in the middle. Copy it again, or build it again.',
  'problem.vis-db-invalid': '{path} is no .vis.db of a known version. Build it again.',
  'problem.xlsx-invalid': '{path} is no compare result of msprobe. Give a compare_result file.',
  'problem.csv-invalid':
    '{path} is no result of a compare. Give a compare_result of msprobe, or a result_<time>.csv of a full-net compare.',
  'problem.csv-unreadable':
    '{path} is empty, or no table of values between commas. Copy it again, or give another file.',
  'problem.output-not-writable': '{path} cannot be written ({reason}). Choose another folder.',
  'problem.drafts-not-kept':
    'Mapping texts could not be kept in {path} for the next start ({reason}). Save them to a file, or make room there.',
  'problem.output-in-dump':
    '{path} lies inside the dump {dump}, and dumps are never written to. Choose another folder.',
  'problem.construct-unknown-op':
    '{path} names {count} nodes that dump.json does not have; they are shown without data.',
  'problem.graph-deep':
    '{path}: {count} nodes lie more than {levels} levels deep; they hang from their ancestor on level {levels} now. Check construct.json.',
  'problem.construct-cycle':
    '{path}: {count} nodes are their own ancestors, {name} among them; they hang from the root now. Dump again.',
  'problem.ranks-sizes':
    '{ranks} ranks of {path} cannot be tp {tp} × pp {pp} × cp {cp} times a whole number of copies. Check the sizes, and that all ranks of a copy are there.',
  'problem.ranks-vpp':
    'vpp {vpp} needs more than one pipeline stage ({path}). Give pp as well, or leave vpp out.',
  'problem.ranks-order':
    '"{order}" is no order of tp, cp, ep, dp and pp with the ones that are used ({path}). The usual one is tp-cp-ep-dp-pp.',
  'problem.ranks-count':
    '{path} holds {given} ranks, {asked} were said. Copy the missing ones, or correct --rank_size.',
  'problem.ranks-rule':
    '{path}: the rule for shards "{where}" is not understood ({reason}). Write an axis such as 0 or -1, "0 in 2", last, same, sum or sequence.',
  'problem.ranks-format': '{path} was not dumped by msprobe on ranks: only such dumps can be put together.',
  'problem.ranks-unlike':
    '{path} cannot be put together with {other}: framework, task or level differ. Dump all ranks with the same settings.',
  'problem.ranks-strangers':
    '{path}: rank {rank} has no call in common with rank {other}, with which it should share tensors. Check tp, pp and the order of ranks.',
  'problem.ranks-op-missing':
    '{path}: {count} calls are not on all ranks that share their tensors, {item} among them; those of the first rank are taken.',
  'problem.ranks-replicas-differ':
    "{path}: {count} values should be the same on all ranks that share the model and are not, {item} among them; the first rank's are compared.",
  'problem.ranks-shards-unfit':
    '{path}: the pieces of {count} values do not fit together, {item} among them; they are not compared. Correct sizes or rules.',
  'problem.ranks-sums':
    '{path}: {count} values are summands of which the dump has no sum, {item} among them; they are not compared.',
  'problem.ranks-guessed':
    '{path}: along which axis the pieces of {count} values follow each other is guessed, {item} among them. A rule file decides.',
  'problem.ranks-transfers':
    '{path}: {count} transfers between ranks of the same copy were left out: one rank would not make them.',
  'problem.rank-pairs':
    '"{word}" pairs no ranks. Write the rank of the first side, =, that of the other: 0=4, 1-3=5-7, or 0-3=0.',
  'problem.rank-pairs-missing':
    '{path} has no rank {rank}, which another rank was paired with by hand. Check the pairs.',
  'problem.rank-pairs-left':
    '{path}: {count} dumps are left out, for theirs were paired with others by hand.',
  'problem.ranks-not-kept':
    'Results cannot be kept in {path}, so there is nothing to ask. Make room there, or open the comparison as a dataset.',
  'problem.rank-missing':
    'Step {step}: rank {rank} is missing under {path}; it was left out. Copy it, or compare without it.',
  'problem.none-chosen': 'No step and rank of {path} is among those asked for. Check --step and --rank.',
  'problem.share-empty':
    'This share of {path} is empty: there are more shares than steps and ranks ({units}).',
  'problem.dataset-none':
    '{path} is no dataset: it has no _plan.json. Give the folder that compare --shard or --format dataset wrote into.',
  'problem.dataset-broken':
    '{path} cannot be read as part of a dataset ({reason}). Compare that step and rank again.',
  'problem.dataset-other':
    '{path} holds the results of another comparison ({what} differs). Name another folder with -o, or remove this one.',
  'problem.dataset-part-apart':
    '{path} and the record beside it are of different runs, so it counts as missing. Compare that step and rank again.',
  'problem.dataset-stray': '{path} belongs to no step and rank of this dataset and is left out.',
  'problem.dataset-missing':
    '{path}: {count} steps and ranks are missing ({units}). Run their shares again; what is there is kept.',
  'problem.dataset-share-open':
    'Share {share} under {path} began at {begun} and has not ended: it still runs, or it died. Run it again if it died.',
  'problem.dataset-empty': '{path} has no rows to ask about yet.',
  'problem.query-several': 'These are {count} statements; ask one SELECT at a time.',
  'problem.query-not-select':
    'Only a SELECT is answered here: nothing is written, set, attached or installed.',
  'problem.query-function': '{name}() may not be asked here: only the tables of this dataset are read.',
  'problem.query-refused': 'The question was not answered: {reason}',
  'problem.rank-failed': '{path} was left out for that reason.',
  'problem.ranks-failed':
    'None of the {count} steps and ranks could be read; the reason of each stands above.',
  'problem.growing': '{path} is still being written; what is there is shown.',
  'problem.too-many-problems':
    'There are more problems of these kinds in {path}; only the first {shown} are listed.',
  'problem.kernel-modes-differ':
    'Rank {rank}, step {step}: {path} and the other side were dumped differently ({debug}, {bench}); this pair was left out. Dump both the same way.',
  'problem.too-deep':
    '{path} lies more than {limit} folders below what was given. Give a folder nearer to the dump.',
  'problem.kernel-options':
    '{path} asks for kernel dumps, which are compared with -i and -o only; {options} had no effect.',
  'problem.too-many-pairs':
    'The two dumps make more than {limit} pairs, because names repeat on both sides. Check whether several dumps were merged into one.',
  'problem.zip-outside':
    '{path}: its member {member} would lie outside of the package; nothing of it was read. Make the package again.',
  'problem.config-not-switched':
    '{path} was left as it is: it is no config.json that msprobe can read. Mend it, or choose the file that the run was given.',
  'problem.config-no-preset':
    'msprobe {tool} has no dump of the kind {preset} with {mode}. Choose another preset, version or mode.',
  'problem.config-no-object':
    '{path} holds no JSON object, and a package of configuration has one there. Collect the package again.',
  'problem.config-no-calls':
    '{path} does not list calls with a count and a stack. Collect the package again.',
  'problem.config-no-statistics':
    '{path}: "{stat}" of a tensor is missing or no number. Collect the package again.',
  'problem.config-place':
    '{path} does not say in its path which step and rank it belongs to (step0/rank0, or rank0.json for random calls). Collect the package again.',
  'problem.config-nothing':
    '{path}: the packages have no part in common that could be compared (env, pip, dataset, weights, hyperparameters, random). Collect both again.',
  'problem.config-script': '{path} is neither .sh nor .yaml. Give the scripts that start the training.',
  'problem.config-script-broken': '{path} is no valid YAML and was passed over. Mend it, or leave it out.',
  'problem.config-no-settings':
    '{path} holds no hyper-parameters: none were found in {scripts}. A shell script must start the training with torchrun, msrun or torch.distributed.launch.',
  'problem.config-no-zip': '{path} does not end in .zip. Give the package a name that does.',
  'problem.ckpt-iteration':
    '{path} names "{iteration}", which is no iteration. Give the folder of the iteration itself (iter_0000100).',
  'problem.ckpt-no-ranks':
    '{path} holds no folder mp_rank_…. Give a checkpoint folder of Megatron or MindSpeed, or one of its iterations.',
  'problem.ckpt-no-args':
    '{path}: its args do not tell {name}, without which the ranks cannot be put together. Save the checkpoint with its args.',
  'problem.ckpt-shard-missing': '{path} does not exist; the checkpoint is compared without it. Copy it too.',
  'problem.ckpt-empty':
    '{path} holds no weights for pipeline stage {stage}. Check that all ranks of the checkpoint were copied.',
  'problem.ckpt-shards-differ':
    '{path}: the shards of {name} do not fit together. Check that all ranks are from the same iteration.',
  'problem.ckpt-replicas-differ':
    '{path}: ranks that should hold the same {name} do not; the first one was compared.',
  'problem.ckpt-exists': '{path} exists already. Give another name, or remove it.',
  'problem.merge-stray':
    '{path} is no compare_result of one rank and is not merged. Move other workbooks out of the folder.',
  'problem.merge-too-few':
    '{path}: there are fewer than two results to merge. Give a folder with the compare_result files of several ranks.',
  'problem.merge-unusable':
    '{path} does not have the columns to merge and was left out. Compare that rank again, in the same mode as the others.',
  'problem.merge-api-missing':
    '{path} has no row of {api}. Check the name; it must be spelled as in the column NPU Name.',
  'problem.merge-config-empty':
    '{path} names no API. Add a list "api" with beginnings of names such as Torch.matmul.',
  'problem.precheck-suffix':
    '{path} does not end with .csv. Give the accuracy_checking_details csv of run_ut or acc_check.',
  'problem.precheck-columns':
    '{path} lacks the columns {columns}. Give the accuracy_checking_details csv as the tool wrote it.',
  'problem.precheck-twice':
    '{path} has the output {name} more than once. Keep the row of one run only; rows of two runs are no reference.',
  'problem.precheck-mixed':
    '{path} was written by msprobe {npu}, {other} by msprobe {gpu}. The two measure differently; run both sides with the same one.',
  'problem.precheck-mixed-file':
    '{path} has rows of msprobe 1.2.2 and rows of msprobe 26. Run the pre-check again into a new file.',
  'problem.precheck-form':
    '{path} was written by msprobe {found}, but the command is that of msprobe {written}, which would take blank cells for good ones. Add --rules msprobe-{found}, or --rules plumbline to go by the files.',
  'problem.unmatched-no-such-id': 'The other side has no node of this name.',
  'problem.unmatched-count':
    'The node of this name has another number of tensors ({part}): {debug} on the debug side, {bench} on the bench side.',
  'problem.unmatched-type': 'The node of this name has another type at {item}: {debug} and {bench}.',
  'problem.unmatched-shape': 'The node of this name has another shape at {item}: {debug} and {bench}.',
  'problem.unmatched-mapping':
    'The mapping in use gives this node no partner. Add a line for it, or match it by hand.',
  'problem.unmatched-call':
    'The other side has a node of this name, but the calls before it differ, so that the two were not paired.',
  'problem.unmatched-by-hand':
    'The match of this node was undone by hand. Match it again by hand if that was a mistake.',
  'problem.unmatched-candidate':
    '{candidate} is like it and has no partner either. If they belong together, match them by hand.',
  'problem.unmatched-namesake':
    '{candidate} of the other side has no partner either. If the two belong together, match them by hand.',
  'problem.match-kinds-differ':
    '{debug} and {bench} are of different kinds (module and API) and cannot be matched. Choose a node of the same kind.',
  'problem.match-unknown-name':
    'There is no node {name} on that side, so nothing was matched. Choose one from the list, or check the name.',
  'problem.match-unknown-node':
    'There is no node {debug} or no node {bench} in these dumps; that pair was left out. Check the names.',
  'problem.nothing-given': 'Nothing was given to open. Drop or name a dump folder.',
  'problem.tolerance-invalid': '{path}: the tolerances atol and rtol must be zero or more. Correct them.',
  'problem.vis-tree':
    '{path} names {missing} nodes that it does not describe; {strays} nodes hang from nothing and stand below the root now. Build the file again.',
  'problem.stacks-missing':
    '{path} holds no stack.json; nodes are shown without their source lines. Copy it from the dump, or dump again.',
  'problem.layouts-differ':
    '{path} holds {bench}, the debug side {debug}. Give two folders of the same kind: one rank, the ranks of a step, or steps.',
  'problem.steps-differ-stops':
    'The steps of {path} and {bench} do not correspond, and msprobe 1.2.2 stops there. Copy what is missing, or use --rules plumbline.',
  'problem.node-mapping-invalid':
    '{path} is no node mapping ({reason}). It must be one JSON object of node names.',
  'problem.kernel-framework':
    '{path} asks for kernel dumps (rank_id), which MindSpore alone writes. Leave rank_id out, or use -f mindspore.',
  'problem.option-framework':
    '{path}: --{option} does not work for a debug side of {framework}. Leave it out, or use --data_mapping.',
  'problem.repro-impossible':
    '{path}: {name} cannot be written as a script of its own ({reason}); choose a call whose arguments and inputs were recorded.',
  'problem.engine-stopped':
    '{path} was being read when the engine was stopped, and is closed. Open it again, or open something else; if it holds the engine again, the file is at fault.',
  'problem.engine-restarted':
    'A part of the engine ended unexpectedly and was started again. If this happens again, open fewer dumps at a time.',
  'problem.tf-no-raw':
    '{path}: {name} is no raw dump there, and no operator that was dumped. Give a file, a folder, or the name of an operator.',
  'problem.tf-no-tensor':
    '{path}: no tensor is called {name}, or begins so. Give the name of an npy file, of a raw dump, or the beginning of one.',
  'problem.tf-several-tensors': '{path} may mean several tensors. Give one of: {names}',
  'problem.tf-no-text':
    '{path} has {elements} elements and was not written as text. Say where to with -o if it is wanted.',
  'problem.no-debugger':
    "{path}: nothing was dumped: the script did not stop in TensorFlow's debugger, and left no dumps of it. Add tf_debug to it (see plumbline tf {path} snippets tf_debug).",
  'problem.tf-not-written':
    '{path}: {missing} of {count} tensors were not written. Look at what the debugger says to the commands in tf_tensor_cmd.txt.',
  'problem.not-tensorflow':
    '{path} holds nothing of a TensorFlow run. Give a precision_data folder, an msquickcmp output folder, or a part of one.',
  'problem.tf-no-graph':
    '{path}: there is no graph (ge_proto_*.txt), so operators are known by their file names only. Dump it with DUMP_GE_GRAPH=2, or open the folder that holds it too.',
  'problem.tf-no-run': '{path} has no run {name}. Name one of those that are there: {names}.',
  'problem.tf-no-graph-file': '{path} has no graph file {file}. Name one of those that are there: {names}.',
  'problem.tf-no-op':
    'No graph of {path} has an operator with {op} in its name. List the names with ls, or name another run or graph file.',
  'problem.tf-op-type':
    '{type} is a type, not a name; operators of {path} that have it: {count}. ls -t {type} lists them.',
  'problem.tf-op-like':
    'No operator of {path} is called exactly {op}; those whose names hold it are shown: {count}.',
  'problem.tf-no-dump':
    '{path}: there are no dumps of the NPU. Run with npu_dump, or open the folder that holds them too.',
  'problem.tf-graph-foreign':
    '{path}: no op of this graph is among the {count} dumped ones ({dump}). Graph and dumps are of different runs: open the graph of the run that dumped.',
  'problem.tf-graph-stage':
    '{path}: the graph as it was built is not there, so {used} stands for it. Its ops may not be those that ran; dump graphs with DUMP_GRAPH_LEVEL 3.',
  'problem.tf-graph-used':
    'Of {all} graph files those as they were built are used: {used}. To use another, open it together with the dumps.',
  'problem.tf-long-names':
    '{path}: {count} files have numbers in place of names that were too long, and no mapping.csv tells what they stand for; they are left out. Copy it from the dump.',
  'problem.tf-no-reference':
    '{path}: there are no tensors of the CPU or GPU to compare with. Run with tf_dump, or open the folder that holds them too.',
  'problem.program-missing':
    '{path} is no command here, nor a program that can be run. Check how it is spelled, or give its whole path.',
  'problem.vc-no-graph':
    '{path} holds tensors of TensorFlow: which of them an operator stands for is told by the graph. Give it with -g.',
  'problem.vc-no-pair':
    '{path} has no dumps of the graphs that are there: graph and dump are of different runs. Give a pair with -lt, -rt and -g.',
  'problem.vc-several':
    '{path} is one of {count} folders that could be compared; {chosen} was taken. Name another with -lt.',
  'problem.vc-nothing-met':
    'No tensor of {path} was compared with one of {other}: check whether both are of the same network, and the graph of this run.',
  'problem.vc-foreign':
    '{path}: of {count} dumped operators the graph knows {known}, so that little was compared. Give the graph of the run that dumped.',
  'problem.no-results':
    '{path} holds no result_<time>.csv of a full-net compare. Run vc first, or give the csv itself.',
  'problem.ir-invalid':
    '{path} is no IR text of MindSpore. Give the .ir file that save_graphs writes, best the one named anf_after_graph_build.',
  'problem.ir-no-code':
    '{path}: none of its {nodes} nodes names both a scope and a line of source. Give the IR named anf_after_graph_build.',
  'problem.ir-truncated':
    '{path} ends inside a graph, after {nodes} nodes; those were used. Copy it again once the graph is compiled.',
  'problem.ir-cut':
    '{path}: {count} lines are longer than {limit} bytes, and what stands behind was not read. Check the scopes of the kernels without code.',
  'problem.ir-dropped':
    '{path} holds more different texts than {limit} bytes; {count} were left out. Give the IR of one graph.',
  'problem.ir-framework':
    '{path}: only MindSpore writes IR texts. Leave -f pytorch out, or use -f mindspore.',
  'problem.ir-nothing-met':
    '{path}: no scope of this IR stands in the name of any of the {kernels} kernels of {dump}. IR and dump are of different runs: give the IR of the run that dumped.',
  'problem.grad-none':
    '{path} holds no gradients: there is no folder rankN with grad_summary_N.csv or stepN in it. Give the dump path of the gradient probe.',
  'problem.grad-no-rank': '{path} and {other} have no rank in common. Give two runs of the same ranks.',
  'problem.grad-rank-twice':
    '{path}: rank {rank} is there twice under different names; the last one was read. Remove one of them.',
  'problem.grad-running':
    '{path} holds the temporary folder Dump: the run was still writing, or was killed. Its last steps may be missing.',
  'problem.grad-ranks-alone': '{path}: the other side lacks rank {ranks}; left out.',
  'problem.grad-steps-alone': '{path}: the other side lacks step {steps}; left out.',
  'problem.grad-no-signs':
    '{path} and {other} have no sign files in common, so that only their csv files were compared. Signs need level L1 or L2.',
  'problem.grad-strict':
    '{path}: the signs of {name} at step {step} cannot be compared, and msprobe stops there. Use --rules plumbline to compare the rest.',
  'problem.grad-strict-csv':
    '{path} and {other} have no csv in common whose header says param_name, and msprobe stops there. Use --rules plumbline.',
  'problem.grad-missing':
    '{path}: no sign file for {name} at step {step} ({count} missing in all); these cells stay empty.',
  'problem.grad-shape':
    '{path}: {name} at step {step} has another shape on the other side ({count} such files); these cells stay empty.',
  'problem.grad-dtype':
    '{path}: {name} at step {step} holds no signs (bool) on one side ({count} such files); these cells stay empty.',
  'problem.series-no-column': '{path} has no column {column}; it was left out.',
  'problem.series-ragged':
    '{path}: {rows} rows have more or fewer fields than the header; what fits its columns was read.',
  'problem.log-broken': '{path} is no JSON that could be read. Copy it again.',
  'problem.settings-none':
    "{path} prints no hyper-parameters: neither verl's (actor_rollout_ref) nor a list of arguments (slime, Megatron).",
  'problem.settings-kinds': '{path} is the log of another framework than the first one.',
  'problem.sheets-alone':
    '{path} is one side only: nothing can be said of it alone. Open that of the other run beside it.',
  'problem.ranks-older': '{path} is left out: there is a newer result of rank {rank}.',
  'problem.series-cut':
    '{path} ends within a row, which was left out: the file is still growing, or was cut.',
  'problem.series-no-end': '{path} ends without a line end: its last number may be cut.',
  'problem.monitor-none':
    '{path} holds no csv files of the training monitor. Give its output folder, with …-rankN-… or rank_N in it.',
  'problem.monitor-runs':
    '{path} holds {count} runs, as some ranks are there several times; each stands for itself.',
  'problem.alert-invalid':
    '{path} holds no alert rules. Give a JSON list of objects with "rule_name" (AnomalyTurbulence, AnomalyNan) and "args" (threshold).',
  'problem.alert-unknown': '{path}: the rule "{rule}" is unknown or has other arguments; it was left out.',
  'problem.anomaly-none':
    '{path} holds no rankN/anomaly.json. Give the folder anomaly_detected of the training monitor.',
  'problem.anomaly-broken': '{path} is broken at byte {byte}; {count} anomalies before it were read.',
  'problem.anomaly-other': '{path}: {count} entries are no anomalies and were left out.',
  'problem.trend-empty': '{path} is a trend database without any values.',
  'problem.log-unknown':
    '{path} has no line of a known training (Megatron, MindSpeed, MindFormers, Hugging Face, verl, slime). Type a pattern with named groups, such as step (?<step>\\d+).*loss (?<loss>[\\d.]+).',
  'problem.log-empty': '{path} has no line that {pattern} finds values in.',
  'problem.log-pattern':
    '"{pattern}" is no pattern with a named group for a value, such as (?<loss>[\\d.]+).',
  'problem.log-restarts':
    '{path} begins again {count} times; of a step that comes twice the later line counts.',
  'problem.trend-none':
    '{path} holds nothing for a trend database: neither stepN/rankN with dump.json nor csv files of the training monitor. Give the folder above them.',
  'problem.trend-invalid':
    '{path} is no trend database of a known version ({reason}). Write it again with data2db.',
  'problem.trend-lacks': '{path} has no {what}. There are: {known}.',
  'problem.trend-runs':
    '{path} holds {count} runs, as some ranks are there several times; of each rank the latest is taken.',
  'problem.trend-mapping':
    '{path} holds no names to replace. Give a JSON object of texts whose values are texts.',
  'problem.kernel-none':
    '{path} holds neither npy files nor a statistic.csv. Give the dump folder of a graph mode run, or one of its files.',
  'problem.kernel-no-names': '{path} has no column Op Name. Give the statistic.csv as the run wrote it.',
  'problem.overflow-framework':
    '{path} is a dump of {framework}: msprobe 26 takes PyTorch only. Leave --rules out.',
  'problem.overflow-file': '{path} lacks {file}, without which msprobe 26 says nothing. Leave --rules out.',
  'problem.internal':
    'Something went wrong inside Plumbline ({reason}). The dumps are untouched; please report this with the diagnostics or the command line.',
})
export const zh = sentences<Facts, 'path'>()({
  'problem.not-found': '{path} 不存在。请检查路径。',
  'problem.not-readable': '无法读取 {path}（{reason}）。请检查权限以及磁盘是否可用。',
  'problem.not-a-dump':
    '{path} 不是 msprobe dump。请指定包含 dump.json 的文件夹、其 rank 或 step 文件夹，或 dump.json 本身。',
  'problem.not-a-folder': '{path} 不是文件夹。请指定包含 dump 的文件夹。',
  'problem.not-a-file': '{path} 不是文件。请指定文件本身，而不是所在文件夹。',
  'problem.left-out': '{path} 未打开：一次最多比对两份 dump，已含两侧的文件或文件夹只能单独打开。',
  'problem.formats-differ':
    '{path} 与 {other} 不是同一类数据。请将 dump 与 dump 比对，或将张量文件与张量文件比对。',
  'problem.one-dump': '{path} 中有 {count} 份 dump，此处只需一份。请给出其中之一，例如 {example}。',
  'problem.several-dumps': '{path} 中有 {count} 份 dump。请选择要比对的两份，或打开其中一份。',
  'problem.packed':
    '{path} 的打包方式无法直接读取；可直接读取 .tar、.tar.gz、.tgz 和 .zip。请先解压，再指定包含 dump 的文件夹。',
  'problem.archive-too-large':
    '{path} 解压后将超过 {limit} 字节：超出可用空间，或远超同等大小的正常压缩包。请在空间足够处解压后指定文件夹。',
  'problem.archive-entries':
    '{path}：{count} 个条目是链接或指向压缩包之外，已跳过，例如 {first}。若 dump 需要它们，请自行解压。',
  'problem.same-folder-twice': '两侧都指定了 {path}。请为标杆侧选择另一个文件夹。',
  'problem.unknown-file':
    '无法打开 {path}。请指定 dump 文件夹、dump.json、compare.json、.vis、.vis.db 或比对结果文件。',
  'problem.too-large':
    '{path} 有 {size} 字节，超过一次读取的上限（{limit} 字节）。请确认文件是否正确，或换用较小的文件。',
  'problem.outside-root': '{path} 不在已打开的范围内，因此没有读取。请直接打开它所在的文件夹。',
  'problem.json-broken':
    '{path} 在第 {line} 行第 {column} 列（字节 {byte}）不是合法的 JSON，此前的内容已读取。请重新 dump，或修正该处。',
  'problem.json-truncated':
    '{path} 不完整，在第 {line} 行（字节 {byte}）中断，此前的内容已读取。请等待 dump 完成，或重新拷贝。',
  'problem.json-deep': '{path} 嵌套过深，不像是 dump，该部分已忽略。请确认文件是否正确。',
  'problem.bad-value': '{path}：{op} 中有无法使用的值（{field}：{text}），按缺失处理。请检查采集过程。',
  'problem.duplicate-key':
    '{path}：{key} 出现多次（字节 {byte}），以最后一次为准。请检查是否合并过两份 dump。',
  'problem.invalid-utf8': '{path} 中有非 UTF-8 字节（字节 {byte}），显示为 �。请以 UTF-8 保存该文件。',
  'problem.shape-absurd': '{path} 中的张量形状超出任何内存的容量，其数据未读取。请检查 dump。',
  'problem.suspicious-text':
    '{path}：{op} 中有会被表格软件当作公式执行的文本（{text}），已按纯文本写出。请确认其来源。',
  'problem.no-hierarchy': '{path}：层级信息（construct.json）缺失或为空。请以 level L0 或 mix 重新 dump。',
  'problem.no-stack': '{path}：旁边没有 stack.json，而 Layer 映射需要它。请从 dump 中拷贝，或重新 dump。',
  'problem.no-tensors':
    '{path}：task 为 tensor，但缺少 dump_tensor_data 文件夹。请从 dump 中拷贝，或以 task statistics 重新 dump。',
  'problem.empty-dump': '{path} 中没有 dump。请确认 dump 是否已写出，或不要指定该文件夹。',
  'problem.tasks-differ':
    '{path} 无法与另一侧比对：两侧的 task 分别为 {debug} 和 {bench}。请以相同的 task 采集两侧。',
  'problem.task-not-comparable':
    '{path}：task 为“{task}”的 dump 无法比对。请以 task tensor 或 statistics 采集。',
  'problem.modes-differ':
    '{path} 与另一侧的采集方式不同：一侧有 md5，另一侧没有。请以相同的 summary_mode 采集两侧。',
  'problem.compare-json-invalid':
    '{path} 不是合法的 JSON（{reason}）。它应是包含 npu_path 和 bench_path 的一个对象。',
  'problem.compare-json-missing-key': '{path} 缺少“{key}”或其值为空。请补上该侧的路径。',
  'problem.compare-json-mixed':
    '{path} 中一侧是文件，另一侧是文件夹（{debug}，{bench}）。请两侧都指定 dump.json，或都指定文件夹。',
  'problem.compare-json-elsewhere':
    '{path} 指向另一台机器上的 {value}：访问它会把登录信息发送过去。如果信任它，请自行打开该文件夹。',
  'problem.compare-json-not-boolean': '{path}：“{key}”必须是不带引号的 true 或 false。',
  'problem.compare-json-not-a-list': '{path}：“{key}”必须是整数列表，例如 [0, 1]；[] 表示全部。',
  'problem.stack-path-missing':
    '{path} 中没有“stack_path”，而 -s 需要调用栈。请加上 "stack_path": "{suggestion}"，或去掉 -s。',
  'problem.ranks-differ':
    '{path} 与 {bench} 的 rank 不对应。两个 step 文件夹中的 rank 文件夹数量必须相同，请补齐缺少的部分。',
  'problem.steps-differ': '{path} 下缺少 step {step}，已跳过。请在两侧采集相同的 step。',
  'problem.stray-entry': '{path} 不是 rank 文件夹，已跳过。step 文件夹中请只保留 rank 文件夹。',
  'problem.stray-entry-stops':
    '{path} 不是 rank 文件夹，msprobe 1.2.2 会在此终止。请将其移走，或使用 --rules plumbline。',
  'problem.nothing-matched-by':
    '按映射文件 {mapping}，{path} 中没有任何内容能与 {bench} 匹配。请检查其中的名称是否属于这两份 dump（plumbline map check），或用 plumbline map propose 生成映射。',
  'problem.nothing-matched':
    '{path} 中没有任何内容能与 {bench} 匹配。请确认两份 dump 是否对应；若名称不同，请使用模糊匹配或映射文件。',
  'problem.option-unsupported': '{path}：{option} 不适用于当前打开的内容。请去掉它，或换用其他匹配方式。',
  'problem.mapping-invalid': '{path} 不是合法的 {what} 映射文件：第 {line} 行（{reason}）。请修正该处。',
  'problem.mapping-twice': '一次只能使用一种映射，但指定了 {options}。请只保留其中一个。',
  'problem.mapping-alone': '{path} 是映射文件。请先打开两份 dump，再将它拖入窗口。',
  'problem.noise-not-twins':
    '{path} 无法说明噪声：需要同一模型的两次正常运行，或已保存的噪声画像。请同时给出两个目录。',
  'problem.noise-no-unit':
    '{path} 中的孪生运行没有 step {step}、rank {rank}。请提供含该 step 和 rank 的孪生运行，或只给一对供全部使用。',
  'problem.noise-levels':
    '孪生运行 {path} 与 {other} 的采集级别不同（{first}、{second}）。请以同一级别采集。',
  'problem.noise-other-level':
    '{path} 中的孪生运行以 {given} 级别采集，而这一对为 {wanted}。请以 {wanted} 级别采集孪生运行。',
  'problem.noise-other-model':
    '{path} 是另一个模型的运行：这一对的 {of} 个张量中它只有 {known} 个。请提供本模型的孪生运行，或已保存的噪声画像。',
  'problem.noise-without-numbers':
    '孪生运行 {path} 与 {other} 只有校验和，无法说明相差多少。请采集统计量或张量。',
  'problem.noise-calls-differ':
    '孪生运行 {path} 与 {other} 的调用不一致：{of} 个张量中只有 {met} 个有匹配。请提供同一模型的两次正常运行。',
  'problem.noise-data-differ':
    '孪生运行 {path} 与 {other} 使用了不同的数据：{item} 不同。请提供数据与权重相同的两次正常运行。',
  'problem.noise-twins-differ':
    '孪生运行 {path} 与 {other} 彼此不一致：{of} 个结果中有 {apart} 个相差超过其值域的二十分之一。请提供数据与权重相同的两次正常运行。',
  'problem.noise-not-a-profile': '{path} 不是噪声画像。请提供由 Plumbline 保存的文件，或两次正常运行。',
  'problem.noise-version':
    '{path} 是版本 {version} 的噪声画像；当前 Plumbline 读取版本 {known}。请重新保存。',
  'problem.noise-broken': '{path} 不是合法的噪声画像：{field} 缺失或有误。请重新保存。',
  'problem.mapping-extension': '{path}：映射文件必须以 .yaml 结尾。请改名，或指定正确的文件。',
  'problem.mapping-encoding':
    '{path} 的编码是 {encoding}，msprobe 无法读取。文件已照常打开；保存后即为 UTF-8。',
  'problem.mapping-entry-uneven':
    '{api} 的映射已忽略：{part} 的两个列表分别有 {mine} 项和 {theirs} 项。请保持两者长度一致。',
  'problem.mapping-api-unknown': '映射中的 {api} 与 {to} 没有同时出现在两份 dump 中，该条不起作用。',
  'problem.mapping-name-unknown': '映射中的 {name} 不在 dump 中，该行不起作用。名称应与 dump.json 一致。',
  'problem.name-unreadable':
    '{path}：名称 {name} 不符合 msprobe 的命名格式，无法得知其所在 Layer。请去掉它，或换用其他映射。',
  'problem.npy-invalid': '{path} 不是可读取的 .npy 文件。请重新拷贝或重新 dump。',
  'problem.npy-truncated': '{path} 不完整：应有 {expected} 字节数据，实际只有 {found} 字节。请重新拷贝。',
  'problem.safetensors-invalid': '{path} 不是有效的 safetensors 文件（{reason}）。请重新复制。',
  'problem.pt-invalid': '{path} 不是可读取的 PyTorch 张量文件。请重新拷贝或重新 dump。',
  'problem.raw-invalid': '{path} 不是 NPU 原始 dump 文件。请给出运行时写出的文件或其所在文件夹。',
  'problem.raw-cut':
    '{path} 不完整：仅文件头就需要 {expected} 字节，实际只有 {found} 字节。请重新复制该文件。',
  'problem.raw-truncated':
    '{path} 不完整：应有 {expected} 字节，实际只有 {found} 字节，{parts} 个张量中缺少 {missing} 个。请重新拷贝。',
  'problem.raw-slices':
    '{path} 所属算子被切成 {count} 片，只找到 {found} 片，已将其拼接。请把其余文件一并拷贝。',
  'problem.raw-slices-apart': '{path} 所属算子的 {count} 个切片无法拼接，只显示最新的一片。',
  'problem.raw-longer': '{path} 末尾多出 {bytes} 字节，已忽略。若数值异常，请重新拷贝。',
  'problem.ge-broken':
    '{path} 在第 {line} 行（字节 {byte}）不是合法的 GE 图，此前的 {ops} 个算子已读取。请重新导出图，或修正该处。',
  'problem.ge-truncated':
    '{path} 不完整，在字节 {byte} 处中断，此前的 {ops} 个算子已读取。请等待写完，或重新拷贝。',
  'problem.ge-empty': '{path} 中没有图。请给出 ge_proto_…_Build.txt，或由它转换的 JSON。',
  'problem.ge-dropped':
    '{path} 中有 {count} 段文本超过 {limit} 字节，已略去。若需要它们，请不带权重重新导出图（DUMP_GE_GRAPH=2）。',
  'problem.ge-other-stage':
    '没有 Build 阶段的图，使用的是 {path}，它是其他阶段的图。请设置 DUMP_GRAPH_LEVEL=3 重新导出，或指定其他文件。',
  'problem.fusion-invalid':
    '{path} 在字节 {byte} 处不是融合结果，此前的内容已读取。请重新拷贝 fusion_result.json。',
  'problem.meta-invalid': '{path} 不是 TensorFlow 的计算图。请给出 saver 写出的 .meta 文件。',
  'problem.ge-superseded':
    '{path} 中也有图 {graph}；使用的是更晚写出的 {other} 中的那一个。要查看前者，请直接指定该文件。',
  'problem.raw-tensor-truncated': '{path} 中 {tensor} 的字节不全，已跳过。请重新拷贝或重新 dump。',
  'problem.raw-alike': '{path}：另有 {count} 个张量情况相同（{what}）。',
  'problem.raw-more': '{path}：另有 {count} 个张量情况相同。',
  'problem.raw-dtype': '{path}：{tensor} 的类型为 {dtype}，其取值的存放方式未公开，因此只提供原始字节。',
  'problem.raw-layout-told':
    '{path}：{tensor} 的原始形状与所记录的顺序不符，已采用唯一符合 {layout} 的顺序。请核对形状。',
  'problem.raw-layout-misfit':
    '{path}：{tensor} 的原始形状与实际数据不符，因此保持 {layout} 格式。请检查形状，或指定正确的形状。',
  'problem.raw-layout-unknown':
    '{path}：无法得知 {tensor} 的原始形状按何种顺序书写，因此保持 {layout} 格式。请指定格式，或连同计算图一起打开。',
  'problem.raw-layout-assumed':
    '{path}：{tensor} 的原始形状可按多种顺序理解，已按所要求的格式处理。请核对，或连同计算图一起打开。',
  'problem.op-debug-invalid': '{path} 不是溢出记录：其 {bytes} 字节的格式未知。请重新拷贝。',
  'problem.raw-pt-size': '{path} 的 {tensor} 超过 4 GB，此处写出的 .pt 无法容纳。请用 -t npy 保存。',
  'problem.raw-no-tensor': '{path} 中没有 {tensor}。请给出其中已有的编号。',
  'problem.batch-nothing':
    '{path} 与 {other} 中都没有 npy 文件或算子文件夹。请给出 plumbline parse cad 写出的两个文件夹，或两个原始 dump 文件夹。',
  'problem.pkl-invalid':
    '{path} 不是已 dump 调用的列表：其各行不是 JSON 列表。请给出早期 dump 工具写出的 .pkl 文件。',
  'problem.raw-none': '{path} 中没有 NPU 原始 dump 文件。请给出运行时写出的文件或其所在文件夹。',
  'problem.raw-no-layout': '{layout} 不是已知的数据格式。请给出 NHWC、NCHW、HWCN、NCDHW 或 ND 等格式。',
  'problem.raw-layout-unsupported':
    '{path}：{tensor} 保持 {layout} 格式，该格式没有已知的转换方法。请在 dump 时改用其他格式。',
  'problem.dtype-unsupported':
    '{path} 中的数据类型为 {dtype}，只能读取普通数值。其余不受影响；如需查看，请将其另存为数值。',
  'problem.zip-invalid': '{path} 已损坏或不是压缩包。请重新拷贝。',
  'problem.align-unfit':
    '{path} 的形状为 {shape}，不移动元素就无法这样查看。每个轴恰好给出一次，且形状的元素总数须相同。',
  'problem.foreign-broken': '{path} 与其工具写出的格式不符：可能被截断或修改过。请重新复制。',
  'problem.bundle-empty': '{path} 中没有张量文件（safetensors、npz、pt）。请选择检查点所在的文件夹。',
  'problem.bundle-index': '{path} 不是有效的分片索引：缺少由名称到文件的 weight_map。请重新复制。',
  'problem.bundle-shard': '缺少索引所列的 {path}，其中的张量未比对。请一并复制。',
  'problem.bundle-missing': '{path} 中没有索引所列的 {tensor}，它未比对。请重新复制该文件。',
  'problem.slice-invalid': '{path} 的形状为 {shape}，切片 {part} 无效。请给出整数或 a:b:c，以逗号分隔。',
  'problem.several-tensors': '{path} 中有多个张量（{names}）。请指明其中一个。',
  'problem.vis-invalid': '{path} 不是已知版本的 .vis 文件。请重新构图。',
  'problem.vis-truncated': '{path} 不完整。请重新拷贝或重新构图。',
  'problem.vis-db-invalid': '{path} 不是已知版本的 .vis.db 文件。请重新构图。',
  'problem.xlsx-invalid': '{path} 不是 msprobe 的比对结果。请指定 compare_result 文件。',
  'problem.csv-invalid':
    '{path} 不是比对结果。请指定 msprobe 的 compare_result 文件，或整网比对的 result_<时间>.csv。',
  'problem.csv-unreadable': '{path} 为空，或不是以逗号分隔的表格。请重新复制，或指定其他文件。',
  'problem.output-not-writable': '无法写入 {path}（{reason}）。请选择其他文件夹。',
  'problem.drafts-not-kept':
    '映射文本无法为下次启动保留在 {path}（{reason}）。请将其保存为文件，或在该处腾出空间。',
  'problem.output-in-dump': '{path} 位于 dump {dump} 之内，而 dump 从不被写入。请选择其他文件夹。',
  'problem.construct-unknown-op': '{path} 中有 {count} 个节点不在 dump.json 中，只显示结构，没有数据。',
  'problem.graph-deep':
    '{path}：{count} 个节点的层级超过 {levels} 层，现已挂到第 {levels} 层的祖先节点下。请检查 construct.json。',
  'problem.construct-cycle':
    '{path}：{count} 个节点是自己的祖先，其中包括 {name}，现已挂到根节点。请重新 dump。',
  'problem.ranks-sizes':
    '{path} 的 {ranks} 个 rank 不能分成整数份 tp {tp} × pp {pp} × cp {cp}。请检查并行数，以及同一副本的 rank 是否齐全。',
  'problem.ranks-vpp': 'vpp {vpp} 需要多于一个流水线阶段（{path}）。请同时给出 pp，或去掉 vpp。',
  'problem.ranks-order':
    '“{order}”不是由所用的 tp、cp、ep、dp、pp 组成的顺序（{path}）。常用顺序为 tp-cp-ep-dp-pp。',
  'problem.ranks-count':
    '{path} 中有 {given} 个 rank，而给出的是 {asked}。请补齐缺少的 rank，或更正 --rank_size。',
  'problem.ranks-rule':
    '{path}：无法理解切分规则“{where}”（{reason}）。可写轴号（如 0 或 -1）、“0 in 2”、last、same、sum 或 sequence。',
  'problem.ranks-format': '{path} 不是 msprobe 按 rank 采集的 dump，只有这种 dump 才能合并。',
  'problem.ranks-unlike': '{path} 不能与 {other} 合并：框架、任务或级别不同。请用相同设置采集所有 rank。',
  'problem.ranks-strangers':
    '{path}：rank {rank} 与应共享张量的 rank {other} 没有任何相同的调用。请检查 tp、pp 和 rank 顺序。',
  'problem.ranks-op-missing':
    '{path}：{count} 个调用并非在所有共享其张量的 rank 上都有，其中包括 {item}；以第一个 rank 为准。',
  'problem.ranks-replicas-differ':
    '{path}：{count} 个值在共享模型的各 rank 上本应相同却不同，其中包括 {item}；以第一个 rank 的值比对。',
  'problem.ranks-shards-unfit':
    '{path}：{count} 个值的各片无法拼合，其中包括 {item}，未作比对。请更正并行数或规则。',
  'problem.ranks-sums': '{path}：{count} 个值是部分和，dump 中没有其总和，其中包括 {item}，未作比对。',
  'problem.ranks-guessed':
    '{path}：{count} 个值的各片沿哪个轴拼接是推测的，其中包括 {item}。可用规则文件指定。',
  'problem.ranks-transfers': '{path}：略去了同一副本内各 rank 之间的 {count} 次通信：单个 rank 不会有它们。',
  'problem.rank-pairs':
    '“{word}”不是 rank 的配对。请写第一侧的 rank、=、另一侧的 rank：0=4, 1-3=5-7，或 0-3=0。',
  'problem.rank-pairs-missing': '{path} 中没有手工配对所指的 rank {rank}。请检查配对。',
  'problem.rank-pairs-left': '{path}：{count} 个 dump 被略过，因为与其对应的 rank 已手工配给其他 rank。',
  'problem.ranks-not-kept':
    '无法在 {path} 中保存结果，因此没有可查询的内容。请腾出空间，或以数据集形式打开比对结果。',
  'problem.rank-missing': 'step {step}：{path} 下缺少 rank {rank}，已跳过。请补上，或在没有它的情况下比对。',
  'problem.none-chosen': '{path} 中没有所选的 step 与 rank。请检查 --step 和 --rank。',
  'problem.share-empty': '{path} 的这一份为空：份数多于 step 与 rank 的总数（{units}）。',
  'problem.dataset-none':
    '{path} 不是数据集：缺少 _plan.json。请给出 compare --shard 或 --format dataset 写入的目录。',
  'problem.dataset-broken': '{path} 不是可读的数据集文件（{reason}）。请重新比对该 step 与 rank。',
  'problem.dataset-other': '{path} 中是另一次比对的结果（{what} 不同）。请用 -o 另选目录，或删除该目录。',
  'problem.dataset-part-apart':
    '{path} 与旁边的记录来自不同的运行，因此视为缺失。请重新比对该 step 与 rank。',
  'problem.dataset-stray': '{path} 不属于该数据集的任何 step 与 rank，已忽略。',
  'problem.dataset-missing':
    '{path} 缺少 {count} 个 step/rank（{units}）。请重新运行对应分片；已有部分会保留。',
  'problem.dataset-share-open':
    '{path} 的分片 {share} 开始于 {begun}，尚未结束：仍在运行，或已中断。若已中断请重新运行。',
  'problem.dataset-empty': '{path} 目前没有可查询的行。',
  'problem.query-several': '这里有 {count} 条语句；请一次只写一条 SELECT。',
  'problem.query-not-select': '这里只回答 SELECT：不写入、不设置、不附加、不安装任何内容。',
  'problem.query-function': '这里不能使用 {name}()：只读取此数据集的表。',
  'problem.query-refused': '查询未得到结果：{reason}',
  'problem.rank-failed': '{path} 因此被跳过。',
  'problem.ranks-failed': '{count} 个 step 和 rank 均无法读取，各自的原因见上。',
  'problem.growing': '{path} 仍在写入，目前只显示已有的部分。',
  'problem.too-many-problems': '{path} 中还有更多同类问题，这里只列出前 {shown} 条。',
  'problem.kernel-modes-differ':
    'rank {rank}，step {step}：{path} 与另一侧的采集方式不同（{debug}，{bench}），这一对已跳过。请以相同方式采集。',
  'problem.too-deep': '{path} 位于所指定文件夹之下超过 {limit} 层。请指定更靠近 dump 的文件夹。',
  'problem.kernel-options': '{path} 用于 kernel 比对，仅支持 -i 和 -o 参数，{options} 未生效。',
  'problem.too-many-pairs': '两侧的重复名称使配对数超过 {limit}。请检查是否把多份 dump 合并成了一份。',
  'problem.zip-outside': '{path}：成员 {member} 会位于包之外，整个包未读取。请重新打包。',
  'problem.config-not-switched':
    '{path} 未作改动：它不是 msprobe 能读取的 config.json。请修正它，或选择运行所用的文件。',
  'problem.config-no-preset':
    'msprobe {tool} 在 {mode} 下没有 {preset} 这种采集。请选择其他预设、版本或模式。',
  'problem.config-no-object': '{path} 中不是 JSON 对象，而配置包在此处应为对象。请重新采集配置包。',
  'problem.config-no-calls': '{path} 未列出带次数与调用栈的调用。请重新采集配置包。',
  'problem.config-no-statistics': '{path}：某个张量缺少“{stat}”，或它不是数字。请重新采集配置包。',
  'problem.config-place':
    '{path} 的路径没有说明属于哪个 step 与 rank（step0/rank0，随机调用为 rank0.json）。请重新采集配置包。',
  'problem.config-nothing':
    '{path}：两个配置包没有可比较的共同部分（env、pip、dataset、weights、hyperparameters、random）。请重新采集两个配置包。',
  'problem.config-script': '{path} 既不是 .sh 也不是 .yaml。请给出启动训练的脚本。',
  'problem.config-script-broken': '{path} 不是有效的 YAML，已跳过。请修正或去掉它。',
  'problem.config-no-settings':
    '{path} 中没有超参：在 {scripts} 中没有找到。shell 脚本应以 torchrun、msrun 或 torch.distributed.launch 启动训练。',
  'problem.config-no-zip': '{path} 不以 .zip 结尾。请给出以 .zip 结尾的包名。',
  'problem.ckpt-iteration': '{path} 中写的“{iteration}”不是迭代。请直接给出该迭代的文件夹（iter_0000100）。',
  'problem.ckpt-no-ranks':
    '{path} 中没有 mp_rank_… 文件夹。请给出 Megatron 或 MindSpeed 的 checkpoint 文件夹，或其中一次迭代。',
  'problem.ckpt-no-args': '{path} 的 args 中没有 {name}，无法合并各 rank。请连同 args 保存 checkpoint。',
  'problem.ckpt-shard-missing': '{path} 不存在，checkpoint 在缺少它的情况下比较。请一并复制。',
  'problem.ckpt-empty': '{path} 中没有流水线阶段 {stage} 的权重。请检查是否复制了 checkpoint 的全部 rank。',
  'problem.ckpt-shards-differ': '{path}：{name} 的各分片无法拼接。请检查所有 rank 是否来自同一次迭代。',
  'problem.ckpt-replicas-differ': '{path}：本应相同的 {name} 在各 rank 上不同，比较时使用第一个。',
  'problem.ckpt-exists': '{path} 已存在。请换一个名称，或先删除它。',
  'problem.merge-stray': '{path} 不是单个 rank 的 compare_result，不参与合并。请将其他表格移出该文件夹。',
  'problem.merge-too-few':
    '{path}：可合并的结果不足两个。请指定包含多个 rank 的 compare_result 文件的文件夹。',
  'problem.merge-unusable': '{path} 缺少要合并的列，已忽略。请以与其他 rank 相同的模式重新比对该 rank。',
  'problem.merge-api-missing': '{path} 中没有 {api} 的行。请检查名称，应与 NPU Name 列的写法一致。',
  'problem.merge-config-empty': '{path} 没有指定 API。请添加列表 "api"，内容为名称开头，例如 Torch.matmul。',
  'problem.precheck-suffix':
    '{path} 的后缀不是 .csv。请指定 run_ut 或 acc_check 写出的 accuracy_checking_details csv。',
  'problem.precheck-columns': '{path} 缺少列 {columns}。请指定工具写出的原始 accuracy_checking_details csv。',
  'problem.precheck-twice': '{path} 中输出 {name} 出现多次。请只保留一次运行的行；两次运行的行不能作为标杆。',
  'problem.precheck-mixed':
    '{path} 由 msprobe {npu} 写出，{other} 由 msprobe {gpu} 写出，两者的度量方式不同。请两侧使用同一版本运行。',
  'problem.precheck-mixed-file': '{path} 同时包含 msprobe 1.2.2 和 msprobe 26 的行。请重新预检并写入新文件。',
  'problem.precheck-form':
    '{path} 由 msprobe {found} 写出，而命令是 msprobe {written} 的写法，会把空单元格当作达标。请加 --rules msprobe-{found}，或用 --rules plumbline 按文件判断。',
  'problem.unmatched-no-such-id': '另一侧没有同名节点。',
  'problem.unmatched-count': '同名节点的张量个数不同（{part}）：调试侧 {debug} 个，标杆侧 {bench} 个。',
  'problem.unmatched-type': '同名节点在 {item} 处的类型不同：{debug} 与 {bench}。',
  'problem.unmatched-shape': '同名节点在 {item} 处的形状不同：{debug} 与 {bench}。',
  'problem.unmatched-mapping': '当前映射没有为该节点指定对应节点。请补充一行，或手动匹配。',
  'problem.unmatched-call': '另一侧有同名节点，但其之前的调用不同，因此两者未配对。',
  'problem.unmatched-by-hand': '该节点的匹配已被手动取消。如属误操作，请重新手动匹配。',
  'problem.unmatched-candidate': '{candidate} 与之相似，也没有对应节点。若二者对应，可手动匹配。',
  'problem.unmatched-namesake': '另一侧的 {candidate} 同样没有对应节点。若二者对应，可手动匹配。',
  'problem.match-kinds-differ': '{debug} 与 {bench} 种类不同（模块与 API），无法匹配。请选择同类节点。',
  'problem.match-unknown-name': '该侧没有节点 {name}，因此没有建立对应关系。请从列表中选择，或检查名称。',
  'problem.match-unknown-node': 'dump 中没有节点 {debug} 或 {bench}，该对应关系已忽略。请检查名称。',
  'problem.nothing-given': '没有指定要打开的内容。请拖入或指定 dump 文件夹。',
  'problem.tolerance-invalid': '{path}：容差 atol 与 rtol 必须大于或等于零。请修改。',
  'problem.vis-tree':
    '{path} 提到了 {missing} 个没有描述的节点；另有 {strays} 个节点没有上级，现已挂到根节点下。请重新构图。',
  'problem.stacks-missing': '{path} 中没有 stack.json，节点不显示源码行。请从 dump 中拷贝，或重新 dump。',
  'problem.layouts-differ':
    '{path} 为 {bench}，调试侧为 {debug}。请指定同类文件夹：单个 rank、一个 step 的各 rank，或多个 step。',
  'problem.steps-differ-stops':
    '{path} 与 {bench} 的 step 不一致，msprobe 1.2.2 会在此终止。请补齐，或使用 --rules plumbline。',
  'problem.node-mapping-invalid':
    '{path} 不是节点映射文件（{reason}）。它必须是一个由节点名组成的 JSON 对象。',
  'problem.kernel-framework':
    '{path} 要求 kernel 比对（rank_id），只有 MindSpore 才有 kernel dump。请去掉 rank_id，或使用 -f mindspore。',
  'problem.option-framework':
    '{path}：调试侧为 {framework} 时不支持 --{option}。请去掉该参数，或使用 --data_mapping。',
  'problem.repro-impossible': '{path}：{name} 无法写成独立脚本（{reason}）。请选择参数与输入均已记录的调用。',
  'problem.engine-stopped':
    '停止引擎时正在读取 {path}，因此已将其关闭。请重新打开，或打开其他内容；若再次卡住，说明该文件有问题。',
  'problem.engine-restarted': '引擎的一部分意外退出，已重新启动。若再次发生，请减少同时打开的 dump。',
  'problem.tf-no-raw':
    '{path}：{name} 既不是其中的原始 dump，也不是被 dump 的算子。请给出文件、文件夹或算子名称。',
  'problem.tf-no-tensor':
    '{path}：没有名为 {name} 或以其开头的张量。请给出 npy 文件、原始 dump 文件的名称或其开头部分。',
  'problem.tf-several-tensors': '{path} 对应多个张量。请给出其中之一：{names}',
  'problem.tf-no-text': '{path} 有 {elements} 个元素，没有写为文本。如有需要，请用 -o 指定存放位置。',
  'problem.no-debugger':
    '{path}：没有 dump 任何数据：脚本没有进入 TensorFlow 调试器，也没有留下调试器的 dump。请在脚本中加入 tf_debug（参见 plumbline tf {path} snippets tf_debug）。',
  'problem.tf-not-written':
    '{path}：{count} 个张量中有 {missing} 个没有写出。请查看调试器对 tf_tensor_cmd.txt 中命令的输出。',
  'problem.not-tensorflow':
    '{path} 中没有 TensorFlow 运行的数据。请给出 precision_data 文件夹、msquickcmp 输出文件夹或其中一部分。',
  'problem.tf-no-graph':
    '{path}：没有计算图（ge_proto_*.txt），只能从文件名得知算子。请设置 DUMP_GE_GRAPH=2 重新 dump，或打开包含计算图的文件夹。',
  'problem.tf-no-run': '{path} 中没有运行 {name}。请指定其中之一：{names}。',
  'problem.tf-no-graph-file': '{path} 中没有图文件 {file}。请指定其中之一：{names}。',
  'problem.tf-no-op': '{path} 的图中没有名称包含 {op} 的算子。请用 ls 列出名称，或指定其他运行或图文件。',
  'problem.tf-op-type':
    '{type} 是算子类型而不是名称：{path} 中有 {count} 个此类算子。请用 ls -t {type} 列出名称。',
  'problem.tf-op-like': '{path} 中没有名称恰为 {op} 的算子；以下是名称包含它的 {count} 个。',
  'problem.tf-no-dump': '{path}：没有 NPU 的 dump 数据。请用 npu_dump 运行，或打开包含这些数据的文件夹。',
  'problem.tf-graph-foreign':
    '{path}：dump 的 {count} 个算子（{dump}）都不在此图中。图与 dump 不属于同一次运行，请打开 dump 时对应的图。',
  'problem.tf-graph-stage':
    '{path}：没有 Build 阶段的图，改用 {used}，其中的算子可能与实际运行的不同。请以 DUMP_GRAPH_LEVEL 3 导出图。',
  'problem.tf-graph-used':
    '共 {all} 个图文件，使用 Build 阶段的：{used}。若要使用其他图，请将其与 dump 一起打开。',
  'problem.tf-long-names':
    '{path}：有 {count} 个文件名过长，已换成数字，但没有 mapping.csv 说明其原名，因此没有读取。请从 dump 中一并拷贝 mapping.csv。',
  'problem.tf-no-reference':
    '{path}：没有可供比对的 CPU 或 GPU 数据。请用 tf_dump 运行，或打开包含这些数据的文件夹。',
  'problem.program-missing': '{path} 既不是这里的命令，也不是可以运行的程序。请检查拼写，或给出完整路径。',
  'problem.vc-no-graph': '{path} 存放的是 TensorFlow 的张量：算子对应其中哪一个由图给出。请用 -g 指定图。',
  'problem.vc-no-pair':
    '{path} 中没有与现有图对应的 dump：图与 dump 来自不同的运行。请用 -lt、-rt 和 -g 指定一对。',
  'problem.vc-several': '{path} 是可比较的 {count} 个文件夹之一；取了 {chosen}。可用 -lt 指定另一个。',
  'problem.vc-nothing-met':
    '{path} 中没有任何张量与 {other} 中的张量比较过：请检查两者是否属于同一网络，以及图是否属于这次运行。',
  'problem.vc-foreign':
    '{path}：dump 的 {count} 个算子中，图只认得 {known} 个，因此比较的内容很少。请给出 dump 时对应的图。',
  'problem.no-results': '{path} 中没有整网比对的 result_<时间>.csv。请先运行 vc，或直接给出该 csv 文件。',
  'problem.ir-invalid':
    '{path} 不是 MindSpore 的 IR 文本。请给出 save_graphs 写出的 .ir 文件，建议使用名称含 anf_after_graph_build 的文件。',
  'problem.ir-no-code':
    '{path}：{nodes} 个节点中没有一个同时带有 scope 和源码行。请给出名称含 anf_after_graph_build 的 IR 文件。',
  'problem.ir-truncated':
    '{path} 在图中间结束，共读到 {nodes} 个节点，已使用这些节点。请在图编译完成后重新复制该文件。',
  'problem.ir-cut': '{path}：{count} 行超过 {limit} 字节，超出部分未读取。请检查没有代码的 kernel 的 scope。',
  'problem.ir-dropped': '{path} 中不同文本超过 {limit} 字节，{count} 个未保留。请给出单个图的 IR 文件。',
  'problem.ir-framework': '{path}：只有 MindSpore 会写 IR 文本。请去掉 -f pytorch，或使用 -f mindspore。',
  'problem.ir-nothing-met':
    '{path}：{dump} 的 {kernels} 个 kernel 的名称中没有此 IR 的任何 scope。IR 与 dump 不属于同一次运行，请给出 dump 时对应的 IR。',
  'problem.grad-none':
    '{path} 中没有梯度数据：没有包含 grad_summary_N.csv 或 stepN 的 rankN 文件夹。请给出梯度工具的 dump_path。',
  'problem.grad-no-rank': '{path} 与 {other} 没有相同的 rank。请给出 rank 相同的两次运行。',
  'problem.grad-rank-twice': '{path}：rank {rank} 以不同名称出现两次，读取了后一个。请删除其中一个。',
  'problem.grad-running': '{path} 中有临时文件夹 Dump：运行仍在写入或被中止，最后几个 step 可能缺失。',
  'problem.grad-ranks-alone': '{path}：另一侧没有 rank {ranks}，已略过。',
  'problem.grad-steps-alone': '{path}：另一侧没有 step {steps}，已略过。',
  'problem.grad-no-signs':
    '{path} 与 {other} 没有共同的符号文件，因此只比较了 csv 文件。符号文件需要 L1 或 L2 级别。',
  'problem.grad-strict':
    '{path}：step {step} 的 {name} 无法比较符号，msprobe 会在此停止。用 --rules plumbline 可比较其余部分。',
  'problem.grad-strict-csv':
    '{path} 与 {other} 没有表头为 param_name 的共同 csv，msprobe 会在此停止。请用 --rules plumbline。',
  'problem.grad-missing': '{path}：step {step} 缺少 {name} 的符号文件（共缺 {count} 个），对应单元格为空。',
  'problem.grad-shape': '{path}：step {step} 的 {name} 在另一侧形状不同（共 {count} 个），对应单元格为空。',
  'problem.grad-dtype':
    '{path}：step {step} 的 {name} 有一侧不是符号数据（bool）（共 {count} 个），对应单元格为空。',
  'problem.series-no-column': '{path} 没有 {column} 列，已略过。',
  'problem.series-ragged': '{path}：{rows} 行的字段数与表头不同，读取了能对应上的列。',
  'problem.log-broken': '{path} 不是可读取的 JSON，请重新复制。',
  'problem.settings-none':
    '{path} 中没有打印超参：既没有 verl 的（actor_rollout_ref），也没有参数列表（slime、Megatron）。',
  'problem.settings-kinds': '{path} 与第一份日志不属于同一框架。',
  'problem.sheets-alone': '{path} 只是一侧，单独无法得出结论。请同时打开另一次运行的。',
  'problem.ranks-older': '{path} 未使用：rank {rank} 有更新的结果。',
  'problem.series-cut': '{path} 在一行中间结束，该行已略过：文件仍在写入或被截断。',
  'problem.series-no-end': '{path} 末尾没有换行：最后一个数字可能不完整。',
  'problem.monitor-none':
    '{path} 中没有训练监控的 csv 文件。请给出其输出文件夹，其中应有 …-rankN-… 或 rank_N。',
  'problem.monitor-runs': '{path} 中有 {count} 次运行，因为有的 rank 出现多次；各次分别处理。',
  'problem.alert-invalid':
    '{path} 中没有告警规则。请给出 JSON 列表，每项含 "rule_name"（AnomalyTurbulence、AnomalyNan）和 "args"（threshold）。',
  'problem.alert-unknown': '{path}：规则“{rule}”未知或参数不同，已略过。',
  'problem.anomaly-none': '{path} 中没有 rankN/anomaly.json。请给出训练监控的 anomaly_detected 文件夹。',
  'problem.anomaly-broken': '{path} 在第 {byte} 字节处损坏，读取了之前的 {count} 个异常。',
  'problem.anomaly-other': '{path}：{count} 个条目不是异常记录，已略过。',
  'problem.trend-empty': '{path} 是没有任何数值的趋势数据库。',
  'problem.log-unknown':
    '{path} 中没有已知训练框架（Megatron、MindSpeed、MindFormers、Hugging Face、verl、slime）的日志行。请输入带命名组的模式，例如 step (?<step>\\d+).*loss (?<loss>[\\d.]+)。',
  'problem.log-empty': '{path} 中没有 {pattern} 能取出数值的行。',
  'problem.log-pattern': '“{pattern}”不是带有数值命名组的模式，例如 (?<loss>[\\d.]+)。',
  'problem.log-restarts': '{path} 有 {count} 次重新开始；同一 step 出现两次时以后面的行为准。',
  'problem.trend-none':
    '{path} 中没有可写入趋势数据库的数据：既没有含 dump.json 的 stepN/rankN，也没有训练监控的 csv 文件。请给出它们的上级文件夹。',
  'problem.trend-invalid': '{path} 不是已知版本的趋势数据库（{reason}）。请用 data2db 重新写出。',
  'problem.trend-lacks': '{path} 中没有 {what}。已有：{known}。',
  'problem.trend-runs': '{path} 中有 {count} 次运行，因为有的 rank 出现多次；每个 rank 取最近的一次。',
  'problem.trend-mapping': '{path} 中没有要替换的名称。请给出一个值为文本的 JSON 对象。',
  'problem.kernel-none':
    '{path} 中既没有 npy 文件也没有 statistic.csv。请给出图模式运行的 dump 文件夹或其中的文件。',
  'problem.kernel-no-names': '{path} 没有 Op Name 列。请给出运行时写出的 statistic.csv。',
  'problem.overflow-framework': '{path} 是 {framework} 的 dump：msprobe 26 只支持 PyTorch。请去掉 --rules。',
  'problem.overflow-file': '{path} 缺少 {file}，msprobe 26 无法处理。请去掉 --rules。',
  'problem.internal': 'Plumbline 内部出错（{reason}）。dump 没有改动；请连同诊断信息或命令行一起反馈。',
})
