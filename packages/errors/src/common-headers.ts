import { getSendableKey, isSendableValue, setHeaders } from './error-headers.ts'
import { type CompiledHeaders, HeaderList } from './header-list.ts'
import type { ErrorHeaders } from './http-error.ts'
import type { ErrorsOptions } from './options.ts'

type CommonHeaders<Req> = NonNullable<ErrorsOptions<Req>['headers']>

/**
 * Returns the common headers of a response, to which its own are added. Calls `fail` if the
 * function throws.
 */
export type CreateHeaderList<Req> = (req: Req, fail: (thrown: unknown) => void) => HeaderList

const NONE: CompiledHeaders = { flat: [], keys: [] }

/**
 * Compiles the option `headers`: an object once, and what a function returns once if it is frozen.
 */
export function compileCommonHeaders<Req>(headers: CommonHeaders<Req> | undefined): CreateHeaderList<Req> {
  if (typeof headers !== 'function') {
    const compiled = headers ? compile(headers) : NONE
    return () => new HeaderList(compiled)
  }
  const cache = new WeakMap<ErrorHeaders, CompiledHeaders>()
  const compileOnce = (part: ErrorHeaders): CompiledHeaders => {
    const cached = cache.get(part)
    if (cached) return cached
    const compiled = compile(part)
    // Another object, or other values in this one, can follow.
    if (Object.isFrozen(part)) cache.set(part, compiled)
    return compiled
  }
  // Mostly the first two parts are those of the last error: if they are frozen, they are joined
  // once.
  let latest: { first: ErrorHeaders; second: ErrorHeaders; joined: CompiledHeaders } | undefined
  const joinFirst = (first: ErrorHeaders, second: ErrorHeaders): HeaderList => {
    if (latest?.first === first && latest.second === second) return new HeaderList(latest.joined)
    const list = new HeaderList(compileOnce(first))
    list.add(compileOnce(second))
    if (Object.isFrozen(first) && Object.isFrozen(second)) latest = { first, second, joined: new HeaderList(list) }
    return list
  }
  return (req, fail) => {
    try {
      const result = headers(req)
      if (!isList(result)) return new HeaderList(compileOnce(result))
      const [first = {}, second = {}] = result
      const list = joinFirst(first, second)
      for (let index = 2; index < result.length; index++) setHeaders(list, result[index] ?? {})
      return list
    } catch (thrown) {
      fail(thrown)
      return new HeaderList(NONE)
    }
  }
}

function compile(headers: ErrorHeaders): CompiledHeaders {
  const flat: (string | string[])[] = []
  const keys: string[] = []
  for (const name of Object.keys(headers)) {
    const key = getSendableKey(name)
    const value = headers[name]
    if (key === undefined || value === undefined || !isSendableValue(value)) continue
    flat.push(name, value)
    keys.push(key)
  }
  return { flat, keys }
}

function isList(headers: ErrorHeaders | readonly ErrorHeaders[]): headers is readonly ErrorHeaders[] {
  return Array.isArray(headers)
}
