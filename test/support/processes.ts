// Which processes belong to one that was started.
import { execFileSync } from 'node:child_process'

/** A process and all below it. */
export function familyOf(top: number): readonly number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(row => row.trim().split(/\s+/).map(Number))
  const family = new Set([top])
  for (let before = 0; before < family.size;) {
    before = family.size
    for (const [pid, parent] of rows)
      if (pid !== undefined && parent !== undefined && family.has(parent)) family.add(pid)
  }
  return [...family]
}
