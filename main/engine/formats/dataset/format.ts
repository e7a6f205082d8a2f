// Results of many steps and ranks, as a folder of parts. Known by the plan in it.
import type { FormatOf } from '../format.ts'
import { growing } from '../growing.ts'

/** Which comparison a dataset is of, and its units. */
export const datasetPlanName = '_plan.json'

export const dataset: FormatOf<'dataset'> = {
  id: 'dataset',
  holds: 'dataset',
  find: at =>
    at.kind === 'folder' && at.has(datasetPlanName) ? { path: at.path, step: null, rank: null } : null,
  open: place => growing(() => Promise.resolve(place)),
}
