import { isDeepStrictEqual } from 'node:util'
import type { Versioning } from './versioning.ts'

/** Bodies by resource and version: `{ employee: { '1': [...], '2': [...] } }`. */
export type VersionSamples<V extends string = string> = Readonly<
  Record<string, { readonly [Version in V]?: readonly unknown[] }>
>

/** Options of `roundTrip`. */
export interface RoundTripOptions {
  /** Demands that a body of the newest version comes back whole from every older one. @defaultValue false */
  lossless?: boolean
}

/**
 * Proves the changes of an API on samples, for a test of your own: a body of an older version comes back unchanged
 * from the newest shape, and what an older version shows of a newest body survives being sent back. Samples are
 * frozen, so a transform that changes what it gets is found. Throws one error that tells of every sample that fails;
 * returns how many ways it went.
 */
export function roundTrip<V extends string>(
  api: Pick<Versioning<V>, 'versions' | 'latest' | 'up' | 'down'>,
  samples: VersionSamples<V>,
  { lossless = false }: RoundTripOptions = {},
): number {
  const problems: string[] = []
  let ways = 0
  const expectSame = (what: string, actual: () => unknown, expected: unknown): void => {
    ways++
    try {
      const value = actual()
      if (!isDeepStrictEqual(value, expected)) problems.push(`${what}: ${print(expected)} became ${print(value)}`)
    } catch (error) {
      problems.push(`${what}: ${print(expected)} threw ${String(error)}`)
    }
  }

  for (const [resource, byVersion] of Object.entries(samples)) {
    const up = (version: V, body: unknown): unknown => freeze(api.up(version, resource, body))
    const down = (version: V, body: unknown): unknown => freeze(api.down(version, resource, body))
    for (const version of versionsOf(api, resource, byVersion)) {
      for (const sample of byVersion[version] ?? []) {
        freeze(sample)
        if (version !== api.latest) {
          expectSame(
            `${resource} ${version} → ${api.latest} → ${version}`,
            () => down(version, up(version, sample)),
            sample,
          )
          continue
        }
        for (const older of api.versions) {
          if (older === version) continue
          const way = `${resource} ${version} → ${older} → ${version}`
          if (lossless) expectSame(way, () => up(older, down(older, sample)), sample)
          else expectStable(way, older, sample)
        }
      }
    }
    // What an older version cannot show may get lost, but nothing that it does show.
    function expectStable(way: string, older: V, sample: unknown): void {
      let shown: unknown
      try {
        shown = down(older, sample)
      } catch (error) {
        problems.push(`${way}: ${print(sample)} threw ${String(error)}`)
        return
      }
      expectSame(`${way} → ${older}`, () => down(older, up(older, shown)), shown)
    }
  }
  if (problems.length > 0) throw new Error(`${problems.length} of ${ways} ways fail:\n${problems.join('\n')}`)
  return ways
}

function versionsOf<V extends string>(
  { versions }: Pick<Versioning<V>, 'versions'>,
  resource: string,
  byVersion: object,
): V[] {
  return Object.keys(byVersion).map((name) => {
    const version = versions.find((known) => known === name)
    if (version === undefined) throw new TypeError(`roundTrip: "${name}" of ${resource} is no version that is served`)
    return version
  })
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const member of Object.values(value)) freeze(member)
  return value
}

function print(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 300 ? `${text.slice(0, 297)}...` : text
}
