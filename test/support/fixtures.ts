// The real dumps and the real tools' answers, unpacked once per machine into the system's temp folder.
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'

/** Benchmarks run as bundles that lie elsewhere in the repository: the folder is looked for upwards. */
function packedFrom(folder: string): string {
  const here = path.join(folder, 'test', 'fixtures')
  return existsSync(here) || folder === path.dirname(folder) ? here : packedFrom(path.dirname(folder))
}
const packed = packedFrom(import.meta.dirname)

/**
 * The root below which `cases/<case>/…`, `dumps/<name>/…` and `kernel/…` lie, as the relative paths of each compare.json expect.
 * Unpacks what is missing or has another size than when it was unpacked; several test processes may do so at once.
 */
export function fixturesRoot(): string {
  const root = path.join(
    tmpdir(),
    `plumbline-fixtures-${createHash('sha256').update(packed).digest('hex').slice(0, 8)}`,
  )
  const marks = path.join(root, '.done')
  mkdirSync(marks, { recursive: true })
  const visit = (folder: string): void => {
    for (const entry of readdirSync(path.join(packed, folder), { withFileTypes: true })) {
      const at = path.join(folder, entry.name)
      if (entry.isDirectory()) {
        visit(at)
        continue
      }
      const mark = path.join(marks, at.replaceAll(path.sep, '!'))
      const size = String(statSync(path.join(packed, at)).size)
      if (existsSync(mark) && readFileSync(mark, 'utf8') === size) continue
      unpack(path.join(packed, at), path.join(root, folder))
      writeFileSync(mark, size)
    }
  }
  visit('')
  return root
}

/** Every folder below `folder` that holds a dump.json, sorted. */
export function dumpFolders(folder: string): string[] {
  const found: string[] = []
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    const at = path.join(folder, entry.name)
    if (entry.isDirectory() && entry.name !== 'dump_tensor_data') found.push(...dumpFolders(at))
    else if (entry.name === 'dump.json') found.push(folder)
  }
  return found
}

/** Puts one packed file into place; whole folders and files appear at once, so that nobody reads half of one. */
function unpack(source: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  const work = mkdtempSync(path.join(folder, '.work-'))
  const name = path.basename(source)
  if (name.endsWith('.tar.gz')) untar(gunzipSync(readFileSync(source)), work)
  else if (name.endsWith('.gz'))
    writeFileSync(path.join(work, name.slice(0, -3)), gunzipSync(readFileSync(source)))
  else cpSync(source, path.join(work, name))
  for (const made of readdirSync(work)) {
    const to = path.join(folder, made)
    try {
      rmSync(to, { recursive: true, force: true })
      renameSync(path.join(work, made), to)
    } catch (error) {
      if (!existsSync(to)) throw error
    }
  }
  rmSync(work, { recursive: true, force: true })
}

/** Plain tar as the fixtures use it: files and folders, long names through GNU `L` or PAX records. */
function untar(bytes: Buffer, to: string): void {
  let longName = ''
  for (let at = 0; at + 512 <= bytes.length && bytes[at] !== 0;) {
    const field = (from: number, length: number): string =>
      bytes.toString('utf8', at + from, at + from + length).replace(/\0.*$/s, '')
    const size = Number.parseInt(field(124, 12), 8) || 0
    const type = field(156, 1)
    const body = bytes.subarray(at + 512, at + 512 + size)
    const name = longName || (field(345, 155) ? `${field(345, 155)}/${field(0, 100)}` : field(0, 100))
    longName = ''
    if (type === 'L') longName = body.toString('utf8').replace(/\0.*$/s, '')
    else if (type === 'x') longName = /\d+ path=([^\n]*)\n/.exec(body.toString('utf8'))?.[1] ?? ''
    else if (type === '5') mkdirSync(path.join(to, name), { recursive: true })
    else if (type === '0' || type === '') {
      mkdirSync(path.dirname(path.join(to, name)), { recursive: true })
      writeFileSync(path.join(to, name), body)
    }
    at += 512 + Math.ceil(size / 512) * 512
  }
}
