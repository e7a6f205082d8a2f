// What noise does, measured between healthy runs, and what of an error it leaves to the call itself.
export { whyNoTwins } from './check.ts'
export {
  callErrors,
  itemErrors,
  itemErrorsInSteps,
  type CallErrors,
  type Compared,
  type ItemErrors,
} from './errors.ts'
export { profileText, readProfile } from './file.ts'
export { findFlips, noFlips, type Flips } from './flips.ts'
export { KnownNoise, type PartErrors } from './known.ts'
export { madeAt, madeOf, type MadeColumns, mostOf, nothingMade } from './made.ts'
export { profileOf } from './profile.ts'
