/**
 * Shares one run of `work` among all calls of a turn of the event loop. It begins at the end of the
 * turn.
 */
export function oncePerTurn<T>(work: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined
  return () => {
    pending ??= new Promise((resolve) => {
      setImmediate(() => {
        pending = undefined
        resolve(work())
      })
    })
    return pending
  }
}

/**
 * Reads the keys that are asked for in a turn of the event loop together, at the end of the turn.
 */
export function batch<K, V>(
  read: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
): (key: K) => Promise<V | undefined> {
  let keys = new Set<K>()
  const readAll = oncePerTurn(() => {
    const asked = [...keys]
    keys = new Set()
    return read(asked)
  })
  return (key) => {
    keys.add(key)
    return readAll().then((values) => values.get(key))
  }
}
