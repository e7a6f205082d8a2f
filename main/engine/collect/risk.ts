// Calls that msprobe 26 leaves out unless it is told otherwise: they move or make values and compute none.
export const lowRisk: ReadonlySet<string> = new Set(
  (
    'squeeze unsqueeze reshape reshape_as view view_as flatten unflatten expand expand_as repeat ' +
    'repeat_interleave tile transpose permute moveaxis movedim swapaxes swapdims chunk unsafe_chunk split ' +
    'split_with_sizes unsafe_split unsafe_split_with_sizes tensor_split hsplit vsplit dsplit unbind stack cat ' +
    'concat concatenate hstack vstack dstack column_stack row_stack align_as align_to atleast_1d atleast_2d ' +
    'atleast_3d ravel clamp unfold type_as to float double int long half bfloat16 byte char bool cfloat numpy ' +
    'empty empty_like zeros zeros_like ones ones_like full full_like arange linspace logspace eye identity diag ' +
    'diagflat diag_embed triu tril triu_indices tril_indices clone __bool__ stride'
  ).split(' '),
)
