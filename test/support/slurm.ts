// A real Slurm of one node on this machine, where its programs are installed and we may start them.
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'

const programs = ['slurmctld', 'slurmd', 'munged', 'sbatch', 'scancel', 'squeue'] as const

export const hasSlurm = (): boolean =>
  process.getuid?.() === 0 && programs.every(name => spawnSync('which', [name]).status === 0)

export interface Slurm {
  /** Submits a job's file and answers its id. */
  submit(file: string, ...options: readonly string[]): string
  cancel(job: string): void
  /** Until none of its tasks is left in the queue. */
  ended(job: string): Promise<void>
  /** Fails with the log where it does not come true. */
  until(test: () => boolean): Promise<void>
  stop(): void
}

const mostWaitingMs = 60_000

export async function startSlurm(folder: string): Promise<Slurm> {
  for (const name of ['spool', 'state', 'log']) mkdirSync(path.join(folder, name), { recursive: true })
  // A munged of our own: one that the system once ran may have died and left its socket.
  const munge = path.join(folder, 'munge')
  mkdirSync(munge, { mode: 0o755 })
  writeFileSync(path.join(munge, 'key'), randomBytes(128), { mode: 0o600 })
  const socket = path.join(munge, 'socket')
  const own = ['key', 'log', 'pid', 'seed'].map(name => `--${name}-file=${path.join(munge, name)}`)
  execFileSync('munged', ['--force', `--socket=${socket}`, ...own])
  const host = hostname().split('.')[0] ?? 'localhost'
  const conf = path.join(folder, 'slurm.conf')
  const port = 20_000 + (process.pid % 10_000)
  writeFileSync(
    conf,
    `ClusterName=one
SlurmctldHost=${host}(127.0.0.1)
SlurmctldPort=${port}
SlurmdPort=${port + 1}
AuthType=auth/munge
AuthInfo=socket=${socket}
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmUser=root
StateSaveLocation=${folder}/state
SlurmdSpoolDir=${folder}/spool
SlurmctldPidFile=${folder}/ctld.pid
SlurmdPidFile=${folder}/d.pid
SlurmctldLogFile=${folder}/log/ctld.log
SlurmdLogFile=${folder}/log/d.log
ReturnToService=2
KillWait=1
SchedulerParameters=bf_interval=1,sched_interval=1
NodeName=${host} NodeAddr=127.0.0.1 CPUs=1 State=UNKNOWN
PartitionName=all Nodes=${host} Default=YES MaxTime=INFINITE State=UP
`,
  )
  const env = { ...process.env, SLURM_CONF: conf }
  const run = (program: string, ...args: readonly string[]): string =>
    execFileSync(program, args, { env, encoding: 'utf8' })
  const until = async (test: () => boolean): Promise<void> => {
    for (const end = Date.now() + mostWaitingMs; !test(); await setTimeout(50))
      if (Date.now() > end) {
        const log = path.join(folder, 'log', 'ctld.log')
        throw new Error(existsSync(log) ? readFileSync(log, 'utf8').slice(-2000) : 'Slurm was not started')
      }
  }
  await until(() => spawnSync('munge', ['-n', `--socket=${socket}`]).status === 0)
  run('slurmctld', '-f', conf)
  run('slurmd', '-f', conf)
  await until(() => spawnSync('sinfo', ['-h', '-o', '%T'], { env, encoding: 'utf8' }).stdout.includes('idle'))
  return {
    submit: (file, ...options) => run('sbatch', '--parsable', ...options, file).trim(),
    until,
    cancel: job => void run('scancel', job),
    ended: job =>
      until(() => spawnSync('squeue', ['-h', '-j', job], { env, encoding: 'utf8' }).stdout.trim() === ''),
    stop() {
      for (const name of ['ctld.pid', 'd.pid', 'munge/pid']) {
        const file = path.join(folder, name)
        if (existsSync(file)) process.kill(Number(readFileSync(file, 'utf8')))
      }
    },
  }
}
