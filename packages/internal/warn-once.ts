const WARNED = Symbol.for('svc.warned')

/** Emits a warning with its code, once per process: `[svc:idempotency] message`. */
export function warnOnce(owner: string, code: string, message: string): void {
  const warned = warnedCodes()
  if (warned.has(code)) return
  warned.add(code)
  // Workers have no process.
  globalThis.process?.emitWarning?.(`[svc:${owner}] ${message}`, { type: 'SvcWarning', code })
}

/** On globalThis, so that the ESM and CommonJS builds of a package do not both emit it. */
function warnedCodes(): Set<string> {
  const holder = globalThis as { [WARNED]?: Set<string> }
  holder[WARNED] ??= new Set()
  return holder[WARNED]
}
