// Opens what a reference points to: a file as it is, text that encodes bytes, or one tensor in pieces of several files.
import type { Handle, QuickFiles } from '../../io/index.ts'
import type { TensorRef, Through } from '../../model/index.ts'
import { readFully } from './tensor.ts'

/** Null where a file is missing. */
export function openRef(files: QuickFiles, { file, through }: TensorRef): Handle | null {
  if (!through) return files.open(file)
  return through.kind === 'base64' ? decoded(files, file, through) : joined(files, through)
}

/** What tells apart two tensors that are read through the same file. */
export const throughText = ({ through }: TensorRef): string => (through ? JSON.stringify(through) : '')

function joined(files: QuickFiles, { rounds, pieces }: Extract<Through, { kind: 'pieces' }>): Handle | null {
  const handles: Handle[] = []
  const close = (): void => {
    for (const handle of handles) handle.close()
  }
  for (const { file } of pieces) {
    const handle = files.open(file)
    if (!handle) {
      close()
      return null
    }
    handles.push(handle)
  }
  const starts = pieces.map((_, i) => pieces.slice(0, i).reduce((sum, piece) => sum + piece.bytes, 0))
  const perRound = pieces.reduce((sum, piece) => sum + piece.bytes, 0)
  const pieceAt = (within: number): number => starts.findLastIndex(start => start <= within)
  return {
    size: perRound * rounds,
    read(from, into) {
      const wanted = Math.max(0, Math.min(into.length, perRound * rounds - from))
      for (let done = 0; done < wanted;) {
        const round = Math.floor((from + done) / perRound)
        const within = from + done - round * perRound
        const at = pieceAt(within)
        const { from: begin, bytes, every = bytes } = pieces[at]
        const skip = within - starts[at]
        const many = Math.min(wanted - done, bytes - skip)
        const got = readFully(handles[at], begin + round * every + skip, into.subarray(done, done + many))
        if (got < many) return done + got
        done += many
      }
      return wanted
    },
    close,
  }
}

function decoded(
  files: QuickFiles,
  file: string,
  { from, to }: Extract<Through, { kind: 'base64' }>,
): Handle | null {
  const handle = files.open(file)
  if (!handle) return null
  const end = new Uint8Array(2)
  readFully(handle, Math.max(from, to - 2), end)
  const letters = end.findLastIndex(letter => letter !== pad) + 1
  const size = Math.max(0, Math.floor((to - from) / 4) * 3 - (end.length - letters))
  return {
    size,
    read(first, into) {
      const wanted = Math.max(0, Math.min(into.length, size - first))
      const quad = Math.floor(first / 3)
      const text = new Uint8Array((Math.ceil((first + wanted) / 3) - quad) * 4)
      const got = readFully(handle, from + quad * 4, text)
      let byte = quad * 3
      for (let i = 0; i + 3 < got; i += 4) {
        const word =
          (digits[text[i]] << 18) |
          (digits[text[i + 1]] << 12) |
          (digits[text[i + 2]] << 6) |
          digits[text[i + 3]]
        for (let shift = 16; shift >= 0; shift -= 8, byte++)
          if (byte >= first && byte < first + wanted) into[byte - first] = (word >> shift) & 255
      }
      return Math.max(0, Math.min(wanted, byte - first))
    },
    close: () => handle.close(),
  }
}

const pad = '='.charCodeAt(0)
const digits = new Uint8Array(256)
for (const [value, letter] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries())
  digits[letter.charCodeAt(0)] = value
