// A mapping file's bytes as text, whatever they were written with; nothing in it is lost.

type MappingEncoding = 'utf-8' | 'utf-16' | 'gb18030' | 'latin-1'

export interface MappingText {
  readonly text: string
  readonly encoding: MappingEncoding
}

export function decodeMapping(bytes: Uint8Array): MappingText {
  const [a, b] = bytes
  const wide =
    (a === 0xff && b === 0xfe) || (bytes.length > 1 && a !== 0 && b === 0)
      ? 'utf-16le'
      : (a === 0xfe && b === 0xff) || (a === 0 && b !== 0 && b !== undefined)
        ? 'utf-16be'
        : ''
  if (wide !== '') return { text: new TextDecoder(wide).decode(bytes), encoding: 'utf-16' }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' }
  } catch {
    return chinese(bytes) ?? { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'latin-1' }
  }
}

/**
 * What editors of a Chinese Windows write by themselves. Any two bytes of Latin-1 may be a character of it
 * too, but hardly ever a common one.
 */
function chinese(bytes: Uint8Array): MappingText | null {
  let [common, all] = [0, 0]
  for (let i = 0; i < bytes.length; i++) {
    const lead = bytes[i] ?? 0
    if (lead < 0x80) continue
    all++
    const trail = bytes[++i] ?? 0
    if (trail >= 0xa1 && ((lead >= 0xb0 && lead <= 0xd7) || (lead >= 0xa1 && lead <= 0xa3))) common++
  }
  if (2 * common <= all) return null
  try {
    return { text: new TextDecoder('gb18030', { fatal: true }).decode(bytes), encoding: 'gb18030' }
  } catch {
    return null
  }
}

/** Where a file first has something that UTF-8 would write otherwise. */
export const firstForeign = ({ text, encoding }: MappingText): number =>
  encoding === 'utf-8' ? -1 : encoding === 'utf-16' ? 0 : Math.max(0, text.search(/[^\0-\x7f]/))
