// What an operation's name tells about it: a table of kinds, used beside the numbers and never instead of
// them.
import type { NameGrammar } from '../model/index.ts'

export type OpKind =
  | 'product'
  | 'norm'
  | 'steep'
  | 'random'
  | 'view'
  | 'cast'
  | 'communication'
  | 'empty'
  | 'inPlace'
  | 'reduction'
  | 'recurrent'
  | 'loss'
  | 'smooth'
  | 'kink'
  | 'plain'

interface KindRow {
  readonly kind: OpKind
  readonly words: RegExp
}

/** Tried in this order on the lower-case API or class name without its prefix. */
const rows: readonly KindRow[] = [
  { kind: 'empty', words: /^(?:new_)?empty(?:_like|_strided|_with_format)?$/ },
  {
    kind: 'inPlace',
    words:
      /^__(?:setitem|iadd|isub|imul|itruediv)__$|^(?:copy|fill|masked_fill|zero|add|sub|mul|div|clamp|index_put|scatter|addcmul|addcdiv|lerp)_$/,
  },
  { kind: 'recurrent', words: /lstm|gru|rnn/ },
  { kind: 'loss', words: /cross_?entropy|nll|logsumexp|log_softmax|logsoftmax|kl_div|bce|mse|loss/ },
  { kind: 'steep', words: /softmax|attention|sdpa|^exp\b|^exp$|flash/ },
  // Ill-conditioned systems turn small errors into large ones.
  {
    kind: 'steep',
    words: /cholesky|solve|lstsq|^(?:linalg_)?p?inv(?:erse)?$|eigh?$|eigvals|svd|^lu_|^(?:log)?det$|slogdet/,
  },
  { kind: 'norm', words: /norm|bn_train|bn_infer|batchnorm/ },
  {
    kind: 'random',
    words: /dropout|^rand|bernoulli|multinomial|uniform|normal_$|^normal$|droppath|drop_path/,
  },
  {
    kind: 'product',
    words: /matmul|linear|dense|conv|^b?mm$|^addmm$|^baddbmm$|einsum|^dot$|bilinear|^outer$|parallel/,
  },
  { kind: 'cast', words: /^(?:to|float|half|bfloat16|double|type|type_as|cast|astype)$/ },
  {
    kind: 'view',
    words:
      /^(?:view|view_as|reshape|transpose|permute|t|split|chunk|flatten|unflatten|squeeze|unsqueeze|expand|expand_as|contiguous|swapaxes|swapdims|narrow|select|identity|detach|clone|stack|cat|concat|concatenate|unbind|tile|repeat|gather|embedding|__getitem__|shape|size|shape_op|get_shp|reshape_flat|stridedslice|slice|pad|index_select|roll|flip|movedim)$/,
  },
  { kind: 'kink', words: /relu|max_?pool|hardtanh|clamp|^where$|^abs$|topk|maximum|minimum|^sort$/ },
  {
    kind: 'smooth',
    words:
      /gelu|silu|sigmoid|tanh|swish|mish|elu|softplus|erf|^pow$|sqrt|log|sin|cos|mlp|layer$|block$|model$/,
  },
  { kind: 'reduction', words: /^(?:sum|mean|reduce|var|std|prod|cumsum|amax|amin)/ },
]

/**
 * `api` is the name without call number and direction: `Functional.linear`, `Primitive.conv2d.Conv2D`,
 * `Module.net.fc1.Linear`.
 */
export function kindOf(names: NameGrammar, api: string): OpKind {
  if (names.communication(api) !== null) return 'communication'
  const word = api.slice(api.lastIndexOf('.') + 1).toLowerCase()
  return rows.find(row => row.words.test(word))?.kind ?? 'plain'
}

/** Hands the same values on in another shape or under another name. */
const plumbing =
  /^(?:view|view_as|reshape|reshape_flat|transpose|permute|t|split|chunk|unbind|flatten|unflatten|squeeze|unsqueeze|expand|expand_as|contiguous|swapaxes|swapdims|movedim|narrow|identity|detach|clone|shape|size|shape_op|get_shp)$/

/** Whether a call only passes on, as views and the hooks of modules do; `api` as for `kindOf`. */
export const isPlumbing = (names: NameGrammar, api: string): boolean =>
  kindOf(names, api) === 'view' && plumbing.test(api.slice(api.lastIndexOf('.') + 1).toLowerCase())

/** Arithmetic whose last bits depend on the device; equal bits here mean that both sides ran alike. */
export const telling: ReadonlySet<OpKind> = new Set<OpKind>([
  'product',
  'norm',
  'steep',
  'recurrent',
  'loss',
  'smooth',
  'reduction',
])

/** Kinds whose result may differ from run to run unless determinism is switched on. */
export const nonDeterministic: ReadonlySet<OpKind> = new Set<OpKind>(['product', 'norm', 'loss', 'recurrent'])
