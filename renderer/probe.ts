// What the window offers to tests and to the console as `window.plumbline`.
import { engine, engineMeter } from './engine.ts'
import { idle, waitingFor } from './state/idle.ts'
import { run } from './state/commands.ts'
import { useWorkbench } from './state/workbench.ts'

const meter = (): Readonly<Record<string, unknown>> => Object.fromEntries(engineMeter())

export function offerToTests(): void {
  Object.assign(window, {
    plumbline: {
      store: useWorkbench,
      engine,
      idle,
      waitingFor,
      meter,
      run,
      state: () => useWorkbench.getState(),
    },
  })
}
