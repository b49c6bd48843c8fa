/** Ids in buckets by their time of expiry, without timers and searches. */
export interface Expiry {
  add(id: string, expiresAt: number): void
  /** Whether two times are in the same bucket. */
  isSame(a: number, b: number): boolean
  /**
   * Removes ids of the bucket that expires first, oldest first, while `visit` returns `'next'`.
   */
  drain(visit: (id: string, bucketEndsAt: number) => 'next' | 'stop'): void
  /** Returns the time at which the first bucket expires; infinite if there is none. */
  firstEndsAt(): number
  /** Returns the number of ids, each as often as it was added. */
  size(): number
  /** Removes all ids. */
  clear(): void
}

interface Bucket {
  readonly ids: string[]
  next: number
}

/** Creates the buckets. A bucket expires with the last of its ids. */
export function expiry(bucketMs: number): Expiry {
  const buckets = new Map<number, Bucket>()
  let first = Number.POSITIVE_INFINITY
  let size = 0
  const toBucket = (expiresAt: number): number => Math.ceil(expiresAt / bucketMs)
  return {
    add(id, expiresAt) {
      const bucket = toBucket(expiresAt)
      const existing = buckets.get(bucket)
      if (existing) existing.ids.push(id)
      else buckets.set(bucket, { ids: [id], next: 0 })
      if (bucket < first) first = bucket
      size++
    },
    isSame: (a, b) => toBucket(a) === toBucket(b),
    drain(visit) {
      const bucket = buckets.get(first)
      if (!bucket) return
      const endsAt = first * bucketMs
      while (bucket.next < bucket.ids.length) {
        size--
        if (visit(bucket.ids[bucket.next++] ?? '', endsAt) === 'stop') break
      }
      if (bucket.next < bucket.ids.length) return
      buckets.delete(first)
      first = Number.POSITIVE_INFINITY
      for (const bucket of buckets.keys()) if (bucket < first) first = bucket
    },
    firstEndsAt: () => first * bucketMs,
    size: () => size,
    clear() {
      buckets.clear()
      first = Number.POSITIVE_INFINITY
      size = 0
    },
  }
}
