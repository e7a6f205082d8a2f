// monitor: the alert rules of a training monitor, looked at again over the csv files that it wrote.
import { absolute } from '../../../io/index.ts'
import { problem, Refusal, type Rules } from '../../../model/index.ts'
import {
  type Alert,
  type AlertRule,
  alertsOf,
  type Monitor,
  monitorAt,
  readAlertRules,
  usualRules,
} from '../../../series/index.ts'
import { folderAt } from '../one-folder.ts'
import type { Page, Tools } from '../tools.ts'
import type { Asked, Command } from '../verb.ts'
import type { MonitorField, MonitorFlags } from './index.ts'

interface RunAlert extends Alert {
  /** Which run, from 0 on. */
  readonly run: number
}

interface Answer {
  readonly monitor: Monitor
  readonly specs: readonly AlertRule[]
  readonly alerts: readonly RunAlert[]
}

export const command: Command<MonitorFlags, Answer, MonitorField> = {
  async run({ flags, paths }, tools) {
    const root = await folderAt(paths[0], tools)
    const rules = flags.rules ?? 'plumbline'
    const specs = specsOf(flags, rules, tools)
    const monitor = monitorAt(tools.files, root)
    if (monitor.runs.length === 0) throw new Refusal(problem('monitor-none', root))
    for (const found of monitor.problems) tools.tell(found)
    const alerts: RunAlert[] = []
    for (const [run, folders] of monitor.runs.entries())
      for (const folder of folders)
        for (const alert of await alertsOf(folder, rules, specs, tools)) alerts.push({ ...alert, run })
    return { monitor, specs, alerts }
  },
  print({ monitor, alerts }, page) {
    for (const run of monitor.runs.keys())
      printRun(
        alerts.filter(alert => alert.run === run),
        { run, several: monitor.runs.length > 1 },
        page,
      )
  },
  json: ({ monitor, specs, alerts }) => ({
    alerts: alerts.map(({ vpp, micro, value, ...alert }) => ({
      ...alert,
      vpp_stage: vpp,
      micro_step: micro,
      value,
    })),
    runs: monitor.runs.map(folders => folders.map(({ rank, folder, time }) => ({ rank, folder, time }))),
    rules: specs,
  }),
}

function specsOf(
  { alert, threshold }: Asked<MonitorFlags>['flags'],
  rules: Rules,
  { files, tell }: Tools,
): readonly AlertRule[] {
  if (alert === undefined)
    return usualRules(rules).map(rule =>
      rule.name === 'AnomalyTurbulence' && threshold !== undefined ? { ...rule, threshold } : rule,
    )
  const path = absolute(alert)
  files.allow(path)
  return readAlertRules(files, path, rules, tell)
}

const mostShown = 20

function printRun(
  alerts: readonly RunAlert[],
  { run, several }: { readonly run: number; readonly several: boolean },
  page: Page,
): void {
  if (several) page.line(page.say('series.run', { run }))
  page.line(page.say('series.alerts', { count: alerts.length }))
  const byStep = [...alerts].sort((a, b) => a.step - b.step)
  for (const { rank, step, metric, name, micro, op, rule, value } of byStep.slice(0, mostShown))
    page.line(
      `  ${page.say('series.alert', {
        step,
        rank,
        metric,
        name: micro === null ? name : `${name}:${micro}`,
        op,
        rule,
        value: String(value),
      })}`,
    )
  if (alerts.length > mostShown)
    page.line(`  ${page.say('series.alerts.more', { count: alerts.length - mostShown })}`)
}
