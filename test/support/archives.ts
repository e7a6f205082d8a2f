// Archives made by hand: tar headers of every kind, and folders as tar.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { joined } from './tensor-files.ts'

export interface TarMember {
  readonly name: string
  readonly data?: Uint8Array | string
  /** '0' a file, '5' a folder, '1' and '2' links, 'L', 'x' … notes. */
  readonly type?: string
  readonly link?: string
  /** Said in place of the real size. */
  readonly size?: number
  readonly prefix?: string
}

const bytesOf = (data: Uint8Array | string): Uint8Array =>
  typeof data === 'string' ? new TextEncoder().encode(data) : data

function header({ name, data = '', type = '0', link = '', size, prefix = '' }: TarMember): Uint8Array {
  const head = new Uint8Array(512)
  const put = (text: string, at: number): void => head.set(new TextEncoder().encode(text), at)
  const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')
  put(name, 0)
  put(octal(0o644, 7), 100)
  put(octal(size ?? bytesOf(data).length, 11), 124)
  put(octal(0, 11), 136)
  put('        ', 148)
  put(type, 156)
  put(link, 157)
  put('ustar\0', 257)
  put('00', 263)
  put(prefix, 345)
  put(
    `${octal(
      head.reduce((sum, byte) => sum + byte, 0),
      6,
    )}\0 `,
    148,
  )
  return head
}

const filled = (bytes: Uint8Array): Uint8Array =>
  joined([bytes, new Uint8Array((512 - (bytes.length % 512)) % 512)])

export const tarBytes = (members: readonly TarMember[]): Uint8Array =>
  joined([
    ...members.flatMap(member => [header(member), filled(bytesOf(member.data ?? ''))]),
    new Uint8Array(1024),
  ])

/** A note of the standard: `length key=value`. */
export function paxNote(key: string, value: string): TarMember {
  const rest = ` ${key}=${value}\n`
  const length = [2, 3, 4]
    .map(digits => rest.length + digits)
    .find(of => String(of).length + rest.length === of)
  return { name: 'note', type: 'x', data: `${length}${rest}` }
}

/** A folder as members of an archive. */
export const membersOf = (folder: string, name = path.basename(folder)): readonly TarMember[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const [at, called] = [path.join(folder, entry.name), `${name}/${entry.name}`]
    return entry.isDirectory()
      ? [{ name: `${called}/`, type: '5' }, ...membersOf(at, called)]
      : [{ name: called, data: readFileSync(at) }]
  })
