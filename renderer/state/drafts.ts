// Mapping texts as they are being written, on disk a moment after each change: a crash of anything loses none.
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

interface Kept { readonly at: number; readonly drafts: Drafts }

let database: Promise<IDBDatabase> | undefined

const open = (): Promise<IDBDatabase> => (database ??= new Promise((resolve, reject) => {
  const request = indexedDB.open('plumbline', 1)
  request.addEventListener('upgradeneeded', () => { request.result.createObjectStore(storeName) })
  request.addEventListener('success', () => resolve(request.result))
  request.addEventListener('error', () => reject(request.error ?? new Error('no drafts')))
}))

/** Keeps the texts of a pair; none forgets it. */
export async function keepDrafts(pair: string, drafts: Drafts): Promise<void> {
  const at = await open()
  const transaction = at.transaction(storeName, 'readwrite', { durability: 'strict' })
  const store = transaction.objectStore(storeName)
  if (Object.keys(drafts).length === 0) store.delete(pair)
  else store.put({ at: Date.now(), drafts } satisfies Kept, pair)
  await new Promise<void>((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('drafts not kept')))
  })
}

export async function readDrafts(pair: string): Promise<Drafts> {
  const store = (await open()).transaction(storeName, 'readwrite').objectStore(storeName)
  const [kept, keys] = await Promise.all([answer<Kept | undefined>(store.get(pair)), answer<IDBValidKey[]>(store.getAllKeys())])
  if (keys.length > mostPairs) await forgetOldest(store, keys)
  return kept?.drafts ?? {}
}

async function forgetOldest(store: IDBObjectStore, keys: readonly IDBValidKey[]): Promise<void> {
  const dated = await Promise.all(keys.map(async key => ({ key, at: (await answer<Kept>(store.get(key))).at })))
  for (const { key } of dated.sort((a, b) => b.at - a.at).slice(mostPairs)) store.delete(key)
}

const answer = <T>(request: IDBRequest): Promise<T> => new Promise((resolve, reject) => {
  request.addEventListener('success', () => resolve(request.result as T))
  request.addEventListener('error', () => reject(request.error ?? new Error('no drafts')))
})
