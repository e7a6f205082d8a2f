// Names of result files, as msprobe gives them.

/** Local time as msprobe writes it into names: 20260131235959. */
export function stampOf(at: Date): string {
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${at.getFullYear()}${[at.getMonth() + 1, at.getDate(), at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join('')}`
}

/** A folder's name as part of a file name: nothing that leads elsewhere or that a system forbids. */
// oxlint-disable-next-line no-control-regex
export const nameOf = (text: string): string => text.replace(/[<>:"/\\|?*\u0000-\u001f]/g, '_').replace(/^\.+/, '_').slice(0, 100)
