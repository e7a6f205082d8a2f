// Names whose values nobody should see in a report or a package.
const secret =
  /(?:^|[_.-])(?:token|secret|passw(?:or)?d|pass|credentials?|auth|(?:api|access|private|secret)?_?key)(?:$|[_.-])/i
/** Parts of models and of tokenizers that only sound like it. */
const before = 'pad|eos|bos|unk|mask|sep|cls|special|per|num|query|head'
const behind = 'id|num|size|dim|len|type|ize|value|head'
const harmless = new RegExp(`(?:${before})_?(?:token|key)|(?:token|key)_?(?:${behind})`, 'i')

export const isSecret = (name: string): boolean => secret.test(name) && !harmless.test(name)

export const hidden = '***'
