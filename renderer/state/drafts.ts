// Mapping texts as they are being written, on disk a moment after each change: a crash of anything loses
// none.
const storeName = 'mappings'
const mostPairs = 30

export interface Draft {
  readonly text: string
  readonly path: string
  /** What the file holds; null for a text that was never saved. */
  readonly saved: string | null
  readonly lineBreak: string
}

export type Drafts = Readonly<Record<string, Draft>>

interface KeptFile {
  readonly path: string
  readonly lineBreak: string
  readonly saved: Blob | null
}

interface Kept {
  readonly at: number
  readonly kinds: readonly string[]
}

let database: Promise<IDBDatabase> | undefined

const open = (): Promise<IDBDatabase> =>
  (database ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('plumbline', 1)
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore(storeName)
    })
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('no drafts')))
  }))

const lastKept = new Map<string, Draft>()

/**
 * Keeps the texts of a pair; one that is not there is forgotten. What is known to be there is not written
 * again.
 */
export async function keepDrafts(pair: string, drafts: Drafts): Promise<void> {
  const at = await open()
  const transaction = at.transaction(storeName, 'readwrite', { durability: 'strict' })
  const store = transaction.objectStore(storeName)
  store.put({ at: Date.now(), kinds: Object.keys(drafts) } satisfies Kept, [pair])
  for (const [kind, draft] of Object.entries(drafts)) {
    const key = `${pair}\n${kind}`
    const known = lastKept.get(key)
    // As a blob a long text is written by the browser's own process.
    if (known?.text !== draft.text) store.put(new Blob([draft.text]), [pair, kind, 'text'])
    // What the file holds is as long as the text and changes only when it is saved.
    if (!known || known.saved !== draft.saved || known.path !== draft.path)
      store.put(
        {
          path: draft.path,
          lineBreak: draft.lineBreak,
          saved: draft.saved === null ? null : new Blob([draft.saved]),
        } satisfies KeptFile,
        [pair, kind, 'file'],
      )
    lastKept.set(key, draft)
  }
  await new Promise<void>((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () => {
      lastKept.clear()
      reject(transaction.error ?? new Error('drafts not kept'))
    })
  })
}

export async function readDrafts(pair: string): Promise<Drafts> {
  const store = (await open()).transaction(storeName, 'readwrite').objectStore(storeName)
  const pairs = (await answer<IDBValidKey[]>(store.getAllKeys())).filter(
    (key: IDBValidKey): key is [string] => Array.isArray(key) && key.length === 1,
  )
  const kept = await answer<Kept | undefined>(store.get([pair]))
  const found = await Promise.all(
    (kept?.kinds ?? []).map(async kind => ({
      kind,
      text: await answer<Blob | undefined>(store.get([pair, kind, 'text'])),
      file: await answer<KeptFile | undefined>(store.get([pair, kind, 'file'])),
    })),
  )
  if (pairs.length > mostPairs) await forgetOldest(store, pairs)
  // Reading blobs takes longer than a transaction lives.
  const drafts = await Promise.all(
    found.map(async ({ kind, text, file }) =>
      text
        ? [
            [
              kind,
              {
                text: await text.text(),
                path: file?.path ?? '',
                saved: (await file?.saved?.text()) ?? null,
                lineBreak: file?.lineBreak ?? '\n',
              },
            ] as const,
          ]
        : [],
    ),
  )
  return Object.fromEntries(drafts.flat())
}

async function forgetOldest(store: IDBObjectStore, pairs: readonly [string][]): Promise<void> {
  const dated = await Promise.all(
    pairs.map(async key => ({ key, at: (await answer<Kept>(store.get(key))).at })),
  )
  for (const {
    key: [pair],
  } of dated.sort((a, b) => b.at - a.at).slice(mostPairs))
    store.delete(IDBKeyRange.bound([pair], [pair, []]))
}

const answer = <T>(request: IDBRequest): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result as T))
    request.addEventListener('error', () => reject(request.error ?? new Error('no drafts')))
  })
