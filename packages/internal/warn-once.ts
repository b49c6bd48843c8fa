import { assertKnownOptions, assertTypes, inspectValue } from './options.ts'

const WARNED = Symbol.for('svc.warned')

/** Emits a warning with its code, once per process: `[svc:idempotency] message`. */
export function warnOnce(owner: string, code: string, message: string): void {
  const warned = warnedCodes()
  if (warned.has(code)) return
  warned.add(code)
  // Workers have no process.
  globalThis.process?.emitWarning?.(`[svc:${owner}] ${message}`, { type: 'SvcWarning', code })
}

/**
 * Compiles the option `warnings` into a function that returns whether a warning is shown. Throws a
 * `TypeError` on a code that does not exist.
 */
export function compileWarnings<Code extends string>(
  owner: string,
  warnings: boolean | { readonly [Name in Code]?: boolean } = true,
  codes: readonly Code[],
): (code: Code) => boolean {
  if (typeof warnings === 'boolean') return () => warnings
  if (typeof warnings !== 'object' || warnings === null)
    throw new TypeError(`${owner}: warnings must be true, false or an object by code, got ${inspectValue(warnings)}`)
  assertKnownOptions(`${owner}: warnings`, warnings, codes)
  assertTypes(`${owner}: warnings`, warnings, Object.fromEntries(codes.map((code) => [code, 'boolean'])))
  return (code) => warnings[code] !== false
}

/** On globalThis, so that the ESM and CommonJS builds of a package do not both emit it. */
function warnedCodes(): Set<string> {
  const holder = globalThis as { [WARNED]?: Set<string> }
  holder[WARNED] ??= new Set()
  return holder[WARNED]
}
