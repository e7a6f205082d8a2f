// What the arguments of the app ask for: something to open, or the command line instead of a window.
import path from 'node:path'

/**
 * Everything after `--`; without it, what is neither a switch nor, unpackaged, the folder of the app that
 * Electron was started with.
 */
export function pathsIn(argv: readonly string[], cwd: string, packaged: boolean): string[] {
  const dashes = argv.indexOf('--')
  const named =
    dashes >= 0
      ? argv.slice(dashes + 1)
      : argv
          .slice(1)
          .filter(arg => !arg.startsWith('-'))
          .slice(packaged ? 0 : 1)
  return named.map(file => path.resolve(cwd, file))
}

/** Switches of Chromium by which another program could look into the page and steer it. */
export const wiretaps = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-targets',
] as const

/** What follows `--cli`, or undefined when a window is wanted. */
export function commandWords(argv: readonly string[]): string[] | undefined {
  const at = argv.indexOf('--cli')
  const dashes = argv.indexOf('--')
  return at < 0 || (dashes >= 0 && dashes < at) ? undefined : argv.slice(at + 1)
}
