import { isDeepStrictEqual } from 'node:util'
import { assertMethod } from '../../internal/options.ts'
import type { Versioning } from './versioning.ts'

/** Bodies by resource and version: `{ employee: { '1': [...], '2': [...] } }`. */
export type VersionSamples<V extends string = string> = Readonly<
  Record<string, { readonly [Version in V]?: readonly unknown[] }>
>

/** Options for `checkRoundTrip()`. */
export interface CheckRoundTripOptions {
  /**
   * Whether a body of the newest version must survive every older version unchanged.
   * @defaultValue false
   */
  lossless?: boolean
}

type ConvertingApi<V extends string> = Pick<Versioning<V>, 'versions' | 'latest' | 'up' | 'down'>

/**
 * Checks the changes of an API with samples, for your own tests. A body of an older version must be
 * unchanged after the round trip through the newest format, and the part of a newest body that an
 * older version shows must survive being sent back. Samples are frozen, so a transform that
 * modifies its argument fails. Throws one error that lists all failures; returns the number of
 * checked conversions.
 *
 * @example checkRoundTrip(api, { employee: { 1: [{ id: 7, salary: 100 }] } })
 */
export function checkRoundTrip<V extends string>(
  api: ConvertingApi<V>,
  samples: VersionSamples<V>,
  { lossless = false }: CheckRoundTripOptions = {},
): number {
  assertMethod('versioning: checkRoundTrip', 'api', api, 'down', 'from versioning()')
  const problems: string[] = []
  let count = 0
  for (const { name, sample, convert } of listConversions(api, samples, lossless)) {
    count++
    try {
      const { expected, actual } = convert()
      if (!isDeepStrictEqual(actual, expected)) problems.push(`${name}: ${format(expected)} became ${format(actual)}`)
    } catch (error) {
      problems.push(`${name}: ${format(sample)} threw ${String(error)}`)
    }
  }
  if (problems.length > 0) throw new Error(`${problems.length} of ${count} conversions failed:\n${problems.join('\n')}`)
  return count
}

interface Conversion {
  name: string
  sample: unknown
  convert(): { expected: unknown; actual: unknown }
}

function* listConversions<V extends string>(
  api: ConvertingApi<V>,
  samples: VersionSamples<V>,
  lossless: boolean,
): Generator<Conversion> {
  const { latest, versions } = api
  for (const [resource, byVersion] of Object.entries(samples)) {
    const up = (version: V, body: unknown): unknown => freeze(api.up(version, resource, body))
    const down = (version: V, body: unknown): unknown => freeze(api.down(version, resource, body))
    const roundTrip = (version: V, body: unknown): unknown => down(version, up(version, body))
    for (const [version, sample] of listSamples(api, resource, byVersion)) {
      const name = `${resource} ${version}`
      if (version !== latest) {
        const convert = () => ({ expected: sample, actual: roundTrip(version, sample) })
        yield { name: `${name} → ${latest} → ${version}`, sample, convert }
        continue
      }
      for (const older of versions.slice(0, -1)) {
        const convertLosslessly = () => ({ expected: sample, actual: up(older, down(older, sample)) })
        // Properties that an older version does not have may get lost, but no others.
        const convertStably = () => {
          const expected = down(older, sample)
          return { expected, actual: roundTrip(older, expected) }
        }
        if (lossless) yield { name: `${name} → ${older} → ${version}`, sample, convert: convertLosslessly }
        else yield { name: `${name} → ${older} → ${version} → ${older}`, sample, convert: convertStably }
      }
    }
  }
}

function* listSamples<V extends string>(
  { versions }: ConvertingApi<V>,
  resource: string,
  byVersion: { readonly [Version in V]?: readonly unknown[] },
): Generator<[V, unknown]> {
  for (const name of Object.keys(byVersion)) {
    const version = versions.find((supported) => supported === name)
    if (version === undefined)
      throw new TypeError(
        `versioning: checkRoundTrip: samples of ${resource} must be of supported versions, got "${name}"`,
      )
    for (const sample of byVersion[version] ?? []) yield [version, freeze(sample)]
  }
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const member of Object.values(value)) freeze(member)
  return value
}

function format(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 300 ? `${text.slice(0, 297)}...` : text
}
