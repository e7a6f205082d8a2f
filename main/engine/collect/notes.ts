// What the tool takes as it is, and what the user may not know of it.
import type { Reading } from './reading.ts'
import { isMindspore } from './schema.ts'

export function notesOf(reading: Reading): void {
  const { target, task, level, say, root } = reading
  if (task === '') return
  const at = reading.top('level') ?? reading.top('task') ?? root
  const torch = !isMindspore(target.mode)
  if (!reading.top('level')?.truthy) say(root, 'note', 'no-level', { used: 'L1' })
  if (!reading.top('task')?.truthy) say(root, 'note', 'no-task', { used: 'statistics' })
  if (reading.top('enable_dataloader')?.truthy && torch && target.version !== '26')
    say(reading.top('enable_dataloader') ?? at, 'warning', 'deprecated', { key: 'enable_dataloader' })
  const hooks = task === 'statistics' || task === 'tensor' || task === 'structure'
  if (hooks && (level === 'L0' || level === 'mix') && (torch || target.mode === 'pynative'))
    say(at, 'note', 'needs-model', { level })
  const asksRisk = torch && target.version === '26' && hooks && (level === 'L1' || level === 'mix')
  if (asksRisk && reading.top('risk_level') === undefined) say(at, 'note', 'risk-default', {})
  if (task === 'nan_check') say(at, 'note', 'needs-npu', { task })
  const [first] = reading.texts('list')
  if (torch && level === 'L2' && first?.endsWith('backward'))
    say(reading.key('list') ?? at, 'note', 'backward-adds', { name: first.replace(/backward$/, 'forward') })
  if (target.mode === 'graph-o2' && target.version === '26') say(at, 'warning', 'o2-unsupported', {})
}
