// MindSpore API names and the PyTorch names they stand for, as dumps spell them. `name` keeps its name,
// `name=other` changes it.

const table: readonly (readonly [from: string, to: string, names: string])[] = [
  [
    'Functional',
    'Torch',
    `
    abs absolute acos acosh add addbmm addcdiv addcmul addmm addmv angle arange arccos arccosh arcsinh arctan arctanh argmax asin
    asinh atan atan2 atanh baddbmm bartlett_window bincount bitwise_and bitwise_or bitwise_xor blackman_window ceil cholesky_solve
    clamp clip column_stack conj cosh cross cumprod diag_embed diagflat diagonal digamma dist div divide einsum equal=eq erf erfc
    exp exp2 expm1 eye flip fliplr flipud floor_divide fmax fmod full full_like gcd geqrf greater greater_equal hamming_window
    hann_window heaviside histc hsplit hstack hypot i0 igamma igammac imag inner inverse is_nonzero is_tensor isinf isneginf
    isposinf isreal kaiser_window kron lcm lerp log1p logaddexp logaddexp2 logdet logical_and logical_not logical_or logical_xor
    logit logspace lt lu_solve lu_unpack masked_select matmul mm moveaxis movedim msort mul multiply nan_to_num nansum neg negative
    nextafter nonzero not_equal numel ones_like orgqr outer permute polar pow rand rand_like randn randn_like ravel real reciprocal
    remainder reshape roll rot90 round row_stack rsqrt searchsorted sgn sign signbit sin sinc sinh slogdet square subtract sum
    swapaxes=transpose swapdims t tan topk trace trapz tril tril_indices triu_indices true_divide trunc unbind unsqueeze vander
    view_as_real vsplit where xlogy zeros_like
  `,
  ],
  [
    'Functional',
    'Functional',
    `
    adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool2d affine_grid bidense=bilinear conv1d conv2d conv3d
    cosine_embedding_loss cosine_similarity cross_entropy ctc_loss dense=linear gumbel_softmax hardsigmoid hardtanh
    hinge_embedding_loss l1_loss margin_ranking_loss max_pool3d max_unpool1d max_unpool2d max_unpool3d mse_loss multi_margin_loss
    multilabel_margin_loss multilabel_soft_margin_loss nll_loss pdist pixel_shuffle pixel_unshuffle relu sigmoid smooth_l1_loss
    soft_margin_loss tanh tanhshrink unfold
  `,
  ],
  [
    'Tensor',
    'Tensor',
    `
    H T abs absolute acos acosh add addbmm addcdiv addcmul addmm addr angle arccos arccosh arcsin arcsinh arctan arctanh asin asinh
    asnumpy=numpy atan atan2 atanh baddbmm bincount bitwise_and bitwise_or bitwise_xor cauchy=cauchy_ ceil cholesky cholesky_solve
    chunk clamp clip conj contiguous copysign cos cosh cross cumprod cumsum deg2rad diagflat diagonal digamma div divide equal=eq
    erf erfc erfinv exp expm1 fill_diagonal=fill_diagonal_ fliplr flipud float floor fmax fmod gather_elements=gather geqrf greater
    greater_equal half hardshrink heaviside histc hypot i0 igamma igammac imag index_add index_fill index_put int inverse
    is_complex is_contiguous is_floating_point is_signed isfinite isinf isnan isneginf isposinf isreal lcm ldexp le lerp less
    less_equal log log10 log1p log2 log_normal logaddexp logaddexp2 logcumsumexp logdet logical_and logical_not logical_or
    logical_xor logit long lt lu_solve mH mT masked_fill masked_select matmul maximum minimum mm movedim msort mul multiply
    mvlgamma nan_to_num nanmedian nansum ndim ndimension ne neg negative nelement new_ones new_zeros nextafter nonzero not_equal
    numel orgqr ormqr outer permute rad2deg ravel real reciprocal remainder repeat_interleave reshape reshape_as roll rot90 round
    rsqrt sgn shape short sigmoid sign signbit sin sinc sinh slogdet sort sqrt square squeeze storage_offset stride subtract
    sum_to_size swapaxes=transpose swapdims t tan tanh topk trace tril true_divide trunc unbind unsqueeze view view_as where
  `,
  ],
]

export const builtInApis: ReadonlyMap<string, string> = new Map(
  table.flatMap(([from, to, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name): [string, string] => {
        const [mine = '', theirs = mine] = name.split('=')
        return [`${from}.${mine}`, `${to}.${theirs}`]
      }),
  ),
)
