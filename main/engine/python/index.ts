// How Python, numpy and pandas print, round and read numbers and values.
export { general } from './general.ts'
export { jsonText } from './json-text.ts'
export { fixed, fixed12, g16, lossyParse, percent, reparsed, roundCosine } from './numpy.ts'
export { crcOf, crcText, pyClass, pyFloat, pyStr, pyTrue } from './values.ts'
