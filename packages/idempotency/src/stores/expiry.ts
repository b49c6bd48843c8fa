/** Ids by the time at which they expire, in buckets: no timers, and nothing is ever searched through. */
export interface Expiry {
  add(id: string, expiresAt: number): void
  /** Whether an id that expires at one time stands where it would at the other. */
  isSame(before: number, after: number): boolean
  /**
   * Hands out ids of the bucket that expires first, the oldest first, while `visit` wants more; each is forgotten here.
   */
  drain(visit: (id: string, bucketEndsAt: number) => 'next' | 'stop'): void
  /** When the first bucket is over; infinite without any. */
  firstEndsAt(): number
}

interface Bucket {
  readonly ids: string[]
  next: number
}

/** Makes the buckets. A bucket is over when the last of its ids has expired. */
export function expiry(bucketMs: number): Expiry {
  const buckets = new Map<number, Bucket>()
  let first = Number.POSITIVE_INFINITY
  const toBucket = (expiresAt: number): number => Math.ceil(expiresAt / bucketMs)
  return {
    add(id, expiresAt) {
      const bucket = toBucket(expiresAt)
      const existing = buckets.get(bucket)
      if (existing) existing.ids.push(id)
      else buckets.set(bucket, { ids: [id], next: 0 })
      if (bucket < first) first = bucket
    },
    isSame: (before, after) => toBucket(before) === toBucket(after),
    drain(visit) {
      const bucket = buckets.get(first)
      if (!bucket) return
      const endsAt = first * bucketMs
      while (bucket.next < bucket.ids.length) if (visit(bucket.ids[bucket.next++] ?? '', endsAt) === 'stop') break
      if (bucket.next < bucket.ids.length) return
      buckets.delete(first)
      first = Number.POSITIVE_INFINITY
      for (const bucket of buckets.keys()) if (bucket < first) first = bucket
    },
    firstEndsAt: () => first * bucketMs,
  }
}
