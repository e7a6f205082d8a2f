// Mapping files as texts that are edited: entries, what is wrong with them, proposals, previews.
export { MappingDesk } from './desk.ts'
export { kindOf, longestMapping, parseMapping } from './document.ts'
export { editMapping, savedText } from './edit.ts'
export { propose } from './propose.ts'
export { ruleFor } from './rule.ts'
