// Mapping texts that no file of the user holds: a file per pair, written whole or not at all. What the disk does not take
// stays in memory and is tried again with the next one.
import { createHash } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { type Drafts, draftsSchema } from '../preload/contract/host-schemas.ts'

export interface DraftStore {
  /** Fails where the disk does not take them. */
  keep(pair: string, drafts: Drafts): Promise<void>
  read(pair: string): Promise<Drafts>
  /** Once nothing is being written. */
  settled(): Promise<void>
}

const mostPairs = 30
const stored = z.object({ pair: z.string(), drafts: draftsSchema })

export function openDrafts(folder: string): DraftStore {
  /** By their pair. */
  const unkept = new Map<string, Drafts>()
  let writing: Promise<void> = Promise.resolve()
  const fileOf = (pair: string): string =>
    path.join(folder, `${createHash('sha256').update(pair).digest('hex').slice(0, 32)}.json`)

  const write = async (): Promise<void> => {
    await mkdir(folder, { recursive: true })
    for (const [pair, drafts] of unkept) {
      const file = fileOf(pair)
      const handle = await open(`${file}.new`, 'w')
      try {
        await handle.writeFile(`${JSON.stringify({ pair, drafts })}\n`)
        // A rename that is on the disk before the text would leave neither.
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(`${file}.new`, file)
      if (unkept.get(pair) === drafts) unkept.delete(pair)
    }
    await forgetOldest(folder)
  }

  return {
    keep(pair, drafts) {
      unkept.set(pair, drafts)
      writing = writing.then(write, write)
      return writing
    },
    async read(pair) {
      const held = unkept.get(pair)
      if (held) return held
      const text = await readFile(fileOf(pair), 'utf8').catch(() => null)
      return text === null ? {} : readStored(text, pair)
    },
    settled: () => writing.catch(() => {}),
  }
}

function readStored(text: string, pair: string): Drafts {
  try {
    const found = stored.safeParse(JSON.parse(text))
    return found.success && found.data.pair === pair ? found.data.drafts : {}
  } catch {
    return {}
  }
}

async function forgetOldest(folder: string): Promise<void> {
  const files = (await readdir(folder)).filter(name => name.endsWith('.json'))
  if (files.length <= mostPairs) return
  const dated = await Promise.all(
    files.map(async name => {
      const file = path.join(folder, name)
      return { file, at: (await stat(file)).mtimeMs }
    }),
  )
  for (const { file } of dated.toSorted((a, b) => b.at - a.at).slice(mostPairs)) await rm(file)
}
