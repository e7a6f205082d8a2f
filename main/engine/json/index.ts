// JSON over bytes: strict tokens, exact numbers, values skipped without being made.
export { isArray, isObject, JsonNumber, JsonReader, JsonStop, type Json, type JsonObject } from './stream.ts'
export { JsonScan } from './scan.ts'
export { SkipWindow } from './skip-window.ts'
export { fives } from './fives.ts'
export { longestYaml, yamlDocument } from './yaml-document.ts'
