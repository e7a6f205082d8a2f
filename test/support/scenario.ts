// The inside of a process that runs one scenario: beats while its event loop turns, then tells the answer.

export type Scenarios = Readonly<Record<string, (arg: never) => Promise<unknown>>>

const beatMs = 200

export async function runScenario(scenarios: Scenarios): Promise<void> {
  const [name = '', arg = 'null'] = process.argv.slice(2)
  const beat = setInterval(() => process.send?.({ is: 'beat' }), beatMs)
  // A scenario that waits for what never comes ends by itself.
  beat.unref()
  const told = await scenarios[name]?.(JSON.parse(arg) as never).then(
    value => ({ is: 'answer', value }),
    (error: unknown) => ({ is: 'failed', reason: error instanceof Error ? error.stack : String(error) }),
  )
  process.send?.(told, () => process.exit(0))
}
