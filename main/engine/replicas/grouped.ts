// Lists by a key.

/** Behind what has the same key. */
export function put<K, V>(into: Map<K, V[]>, key: K, value: V): void {
  const known = into.get(key)
  if (known) known.push(value)
  else into.set(key, [value])
}
