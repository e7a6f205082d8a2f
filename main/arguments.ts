// What the command line of the window asks to open.
import path from 'node:path'

/** Everything after `--`; without it, what is neither a switch nor, unpackaged, the folder of the app that Electron was started with. */
export function pathsIn(argv: readonly string[], cwd: string, packaged: boolean): string[] {
  const dashes = argv.indexOf('--')
  const named = dashes >= 0 ? argv.slice(dashes + 1) : argv.slice(1).filter(arg => !arg.startsWith('-')).slice(packaged ? 0 : 1)
  return named.map(file => path.resolve(cwd, file))
}
