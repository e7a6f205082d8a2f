// A unit worked to its end, for whoever does not look at it meanwhile: the same steps, one after the other.
import { Refusal } from '../model/index.ts'
import type { Job } from '../work/index.ts'
import type { StudyUnit } from './study.ts'

/** Refuses with what stopped the unit. */
export async function finish(unit: StudyUnit, job: Job): Promise<void> {
  while (unit.behind(true)) {
    await unit.work(true, job)
    await job.breathe()
  }
  if (unit.problem) throw new Refusal(unit.problem)
}
