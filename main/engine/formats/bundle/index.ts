// Bundles: tensors by name in one file or in several.
export { type Bundle, type BundleTensor, openBundle } from './bundle.ts'
export { commonName, type NamePair, type NamePairs, pairNames } from './renames.ts'
