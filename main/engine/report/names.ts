// Names of result files, as msprobe gives them.

/** Local time as msprobe writes it into names: 20260131235959. */
export const stampOf = (at: Date): string =>
  at.getFullYear() +
  [at.getMonth() + 1, at.getDate(), at.getHours(), at.getMinutes(), at.getSeconds()]
    .map(part => String(part).padStart(2, '0'))
    .join('')
