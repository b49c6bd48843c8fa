import { setHeaders } from './error-headers.ts'
import { addVary, type CompiledHeaders, HeaderList } from './header-list.ts'
import type { ErrorHeaders } from './http-error.ts'
import type { ErrorsOptions } from './options.ts'

type CommonHeaders<Req> = NonNullable<ErrorsOptions<Req>['headers']>

/** Content of a response, which decides some of its headers. */
interface Content {
  contentType: string
  /** The language of the error, if it was translated. */
  language: string | undefined
}

/**
 * Returns the headers that an error response has by its content and by the option `headers`, to
 * which its own are added. Calls `fail` if the function throws.
 */
export type CreateHeaderList<Req> = (req: Req, content: Content, fail: (thrown: unknown) => void) => HeaderList

/** Headers that were joined for earlier errors. */
interface Joined extends Content {
  first: ErrorHeaders
  second: ErrorHeaders
  headers: CompiledHeaders
}

const NONE: ErrorHeaders = Object.freeze({})
const MAX_JOINED = 8

/**
 * Compiles the option `headers`: an object once, and what a function returns once if it is frozen.
 */
export function compileCommonHeaders<Req>(headers: CommonHeaders<Req> = NONE): CreateHeaderList<Req> {
  // Mostly the first two parts and the content are those of an earlier error: if the parts are
  // frozen, they are joined once.
  const joined: Joined[] = []
  const join = (first: ErrorHeaders, second: ErrorHeaders, content: Content): HeaderList => {
    const { contentType, language } = content
    for (const earlier of joined) {
      const isSame = earlier.first === first && earlier.second === second && earlier.contentType === contentType
      if (isSame && earlier.language === language) return new HeaderList(earlier.headers)
    }
    const list = startList(contentType)
    setHeaders(list, first)
    setHeaders(list, second)
    if (language !== undefined) list.setHeader('Content-Language', language)
    addVary(list, language === undefined ? 'Accept' : 'Accept, Accept-Language')
    if (Object.isFrozen(first) && Object.isFrozen(second)) {
      if (joined.length === MAX_JOINED) joined.shift()
      joined.push({ first, second, contentType, language, headers: new HeaderList(list) })
    }
    return list
  }
  if (typeof headers !== 'function') {
    const constant = Object.freeze({ ...headers })
    return (_req, content) => join(constant, NONE, content)
  }
  return (req, content, fail) => {
    try {
      const result = headers(req)
      if (!isList(result)) return join(result, NONE, content)
      const list = join(result[0] ?? NONE, result[1] ?? NONE, content)
      for (let index = 2; index < result.length; index++) setHeaders(list, result[index] ?? NONE)
      return list
    } catch (thrown) {
      fail(thrown)
      return join(NONE, NONE, content)
    }
  }
}

/** Starts a list with the headers about the content and about caching. */
function startList(contentType: string): HeaderList {
  return new HeaderList({
    flat: ['Content-Type', contentType, 'X-Content-Type-Options', 'nosniff', 'Cache-Control', 'no-store'],
    keys: ['content-type', 'x-content-type-options', 'cache-control'],
  })
}

function isList(headers: ErrorHeaders | readonly ErrorHeaders[]): headers is readonly ErrorHeaders[] {
  return Array.isArray(headers)
}
