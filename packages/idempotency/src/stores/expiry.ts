/** Ids by the time at which they expire, in buckets: no timers, and nothing is ever searched through. */
export interface Expiry {
  add(id: string, expiresAt: number): void
  /** Whether an id that expires at one time stands where it would at the other. */
  isSame(before: number, after: number): boolean
  /** Hands out ids of the bucket that expires first, while `visit` wants more; each is forgotten, unless it comes back. */
  drain(visit: (id: string, bucketEndsAt: number) => 'next' | 'stop'): void
  /** When the first bucket is over; infinite without any. */
  firstEndsAt(): number
}

/** Makes the buckets. A bucket is over when the last of its ids has expired. */
export function expiry(bucketMs: number): Expiry {
  const buckets = new Map<number, string[]>()
  let first = Number.POSITIVE_INFINITY
  const bucketOf = (expiresAt: number): number => Math.ceil(expiresAt / bucketMs)
  return {
    add(id, expiresAt) {
      const bucket = bucketOf(expiresAt)
      const ids = buckets.get(bucket)
      if (ids) ids.push(id)
      else buckets.set(bucket, [id])
      if (bucket < first) first = bucket
    },
    isSame: (before, after) => bucketOf(before) === bucketOf(after),
    drain(visit) {
      const ids = buckets.get(first)
      if (!ids) return
      const endsAt = first * bucketMs
      for (let id = ids.pop(); id !== undefined; id = ids.pop()) if (visit(id, endsAt) === 'stop') break
      if (ids.length > 0) return
      buckets.delete(first)
      first = Number.POSITIVE_INFINITY
      for (const bucket of buckets.keys()) if (bucket < first) first = bucket
    },
    firstEndsAt: () => first * bucketMs,
  }
}
