import { isDeepStrictEqual } from 'node:util'
import type { Versioning } from './versioning.ts'

/** Bodies by resource and version: `{ employee: { '1': [...], '2': [...] } }`. */
export type VersionSamples<V extends string = string> = Readonly<
  Record<string, { readonly [Version in V]?: readonly unknown[] }>
>

/** Options of `checkRoundTrip`. */
export interface CheckRoundTripOptions {
  /**
   * Demands that a body of the newest version comes back whole from every older one.
   * @defaultValue false
   */
  lossless?: boolean
}

type Changing<V extends string> = Pick<Versioning<V>, 'versions' | 'latest' | 'up' | 'down'>

/**
 * Proves the changes of an API on samples, for a test of your own: a body of an older version comes
 * back unchanged from the newest shape, and what an older version shows of a newest body survives
 * being sent back. Samples are frozen, so a transform that changes what it gets is found. Throws
 * one error that tells of every way that fails; returns how many ways it went.
 */
export function checkRoundTrip<V extends string>(
  api: Changing<V>,
  samples: VersionSamples<V>,
  { lossless = false }: CheckRoundTripOptions = {},
): number {
  const problems: string[] = []
  let ways = 0
  for (const { name, sample, go } of listWays(api, samples, lossless)) {
    ways++
    try {
      const { expected, actual } = go()
      if (!isDeepStrictEqual(actual, expected)) problems.push(`${name}: ${print(expected)} became ${print(actual)}`)
    } catch (error) {
      problems.push(`${name}: ${print(sample)} threw ${String(error)}`)
    }
  }
  if (problems.length > 0) throw new Error(`${problems.length} of ${ways} ways fail:\n${problems.join('\n')}`)
  return ways
}

interface Way {
  name: string
  sample: unknown
  go(): { expected: unknown; actual: unknown }
}

function* listWays<V extends string>(api: Changing<V>, samples: VersionSamples<V>, lossless: boolean): Generator<Way> {
  const { latest, versions } = api
  for (const [resource, byVersion] of Object.entries(samples)) {
    const up = (version: V, body: unknown): unknown => freeze(api.up(version, resource, body))
    const down = (version: V, body: unknown): unknown => freeze(api.down(version, resource, body))
    const thereAndBack = (version: V, body: unknown): unknown => down(version, up(version, body))
    for (const [version, sample] of listSamples(api, resource, byVersion)) {
      const name = `${resource} ${version}`
      if (version !== latest) {
        const go = () => ({ expected: sample, actual: thereAndBack(version, sample) })
        yield { name: `${name} → ${latest} → ${version}`, sample, go }
        continue
      }
      for (const older of versions.slice(0, -1)) {
        const whole = () => ({ expected: sample, actual: up(older, down(older, sample)) })
        // What an older version cannot show may get lost, but nothing that it does show.
        const stable = () => {
          const expected = down(older, sample)
          return { expected, actual: thereAndBack(older, expected) }
        }
        if (lossless) yield { name: `${name} → ${older} → ${version}`, sample, go: whole }
        else yield { name: `${name} → ${older} → ${version} → ${older}`, sample, go: stable }
      }
    }
  }
}

function* listSamples<V extends string>(
  { versions }: Changing<V>,
  resource: string,
  byVersion: { readonly [Version in V]?: readonly unknown[] },
): Generator<[V, unknown]> {
  for (const name of Object.keys(byVersion)) {
    const version = versions.find((supported) => supported === name)
    if (version === undefined)
      throw new TypeError(`checkRoundTrip: "${name}" of ${resource} is not a supported version`)
    for (const sample of byVersion[version] ?? []) yield [version, freeze(sample)]
  }
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
