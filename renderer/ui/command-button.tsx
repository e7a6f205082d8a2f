// A small button that runs a command: its words are the tip, with its key.
import type { JSX } from 'react'
import { commandOf, run, shortcut } from '../state/commands.ts'
import { useSay } from '../state/words.ts'
import { Button } from './controls.tsx'
import type { IconName } from './icons.tsx'

export function CommandButton({
  command,
  icon,
}: {
  readonly command: string
  readonly icon: IconName
}): JSX.Element {
  const say = useSay()
  return (
    <Button
      look="quiet"
      small
      icon={icon}
      label={say(commandOf(command).words)}
      keys={shortcut(command)}
      onPress={() => run(command)}
    />
  )
}
