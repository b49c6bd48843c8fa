import type { Verdict } from './choice.ts'
import { CODINGS, type Coding } from './coding.ts'
import { compileEncodings } from './encodings.ts'

/** Bytes of a body below which a coding saves less than it costs. */
export const MIN_BYTES = 1024

/** What is said where nothing is coded. */
export const IDENTITY: Verdict = compileEncodings([])(undefined)

/** The coding for a body of this size: none for what is small, unless the client refuses the body as it is. */
export function codingFor(codings: Verdict, size: number, minBytes: number): Coding | undefined {
  const best = codings.best?.value
  if (best === undefined || best === 'identity') return undefined
  return size < minBytes && takesIdentity(codings) ? undefined : CODINGS.find((coding) => coding === best)
}

/** Whether the client takes a body as it is: `identity` stands behind all codings. */
export function takesIdentity(codings: Verdict): boolean {
  return (codings.all.at(-1)?.q ?? 1) > 0
}
