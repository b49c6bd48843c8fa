import { splitList } from '../../internal/list.ts'
import { memoize } from '../../internal/memoize.ts'
import { compileVary, type VaryingResponse } from '../../internal/vary.ts'
import type { HeaderValue } from './http-error.ts'

/** The methods of a response that setting headers needs. */
export interface HeaderTarget extends VaryingResponse {
  hasHeader(name: string): boolean
  /** `key` is the name in lower case, if it is known. */
  setHeader(name: string, value: HeaderValue, key?: string): unknown
}

const varyBy = memoize((list: string) => compileVary(...splitList(list)))

/** Adds the names of a list to `Vary`, which earlier middleware may have set, too. */
export function addVary(target: VaryingResponse, list: HeaderValue): void {
  varyBy(String(list))(target)
}

/** Headers that were checked: names and values in turn, and the names in lower case. */
export interface CompiledHeaders {
  readonly flat: readonly HeaderValue[]
  readonly keys: readonly string[]
}

/**
 * Headers in the form that one `writeHead()` takes, which costs less than half of `setHeader()` for
 * each of them. The fields have no initializers, which would set each of them twice.
 */
export class HeaderList implements HeaderTarget, CompiledHeaders {
  declare readonly flat: HeaderValue[]
  declare readonly keys: string[]

  constructor({ flat, keys }: CompiledHeaders) {
    this.flat = flat.slice()
    this.keys = keys.slice()
  }

  hasHeader(name: string): boolean {
    return this.keys.includes(name.toLowerCase())
  }

  getHeader(name: string): HeaderValue | undefined {
    const index = this.keys.indexOf(name.toLowerCase())
    return index === -1 ? undefined : this.flat[2 * index + 1]
  }

  setHeader(name: string, value: HeaderValue, key: string = name.toLowerCase()): void {
    const index = this.keys.indexOf(key)
    if (index === -1) {
      this.keys.push(key)
      this.flat.push(name, value)
    } else {
      this.flat[2 * index + 1] = value
    }
  }
}
