import { memoize } from './memoize.ts'
import { createArgumentError } from './options.ts'

/** Properties of a response that merging needs: one of node:http, or anything built on it. */
export interface VaryingResponse {
  getHeader(name: string): number | string | string[] | undefined
  setHeader(name: string, value: string): unknown
}

/**
 * Adds header names to a `Vary` value, each once and regardless of case. `*` replaces all (RFC 9110
 * §12.5.5).
 */
export function mergeVary(current: string, names: readonly string[]): string {
  if (typeof current !== 'string') throw createArgumentError('negotiate: mergeVary', 'current', 'a string', current)
  if (current.trim() === '*') return '*'
  let merged = current
  let present = current.toLowerCase()
  for (const name of names) {
    if (name === '*') return '*'
    const key = name.toLowerCase()
    if (key === '' || isListed(present, key)) continue
    present = `${present}, ${key}`
    merged = merged ? `${merged}, ${name}` : name
  }
  return merged
}

/** Whether a list has this item, not only one that contains it. */
function isListed(list: string, member: string): boolean {
  for (let index = list.indexOf(member); index !== -1; index = list.indexOf(member, index + 1))
    if (isBetween(list.charCodeAt(index - 1)) && isBetween(list.charCodeAt(index + member.length))) return true
  return false
}

const COMMA = 0x2c
const SPACE = 0x20
const TAB = 0x09

// There is no character before the first and after the last one.
function isBetween(char: number): boolean {
  return char === COMMA || char === SPACE || char === TAB || Number.isNaN(char)
}

/**
 * Creates `vary()` for constant names: merges them with each earlier value of the response once.
 */
export function compileVary(...names: string[]): (res: VaryingResponse) => void {
  const merge = memoize((current: string) => mergeVary(current, names))
  return (res) => mergeInto(res, merge)
}

/**
 * Adds request headers that could have changed the response, even if the request did not have them.
 */
export function vary(res: VaryingResponse, ...names: string[]): void {
  mergeInto(res, (current) => mergeVary(current, names))
}

function mergeInto(res: VaryingResponse, merge: (current: string) => string): void {
  const current = res.getHeader('vary') // node:http converts other names to lower case first
  const text = Array.isArray(current) ? current.join(', ') : String(current ?? '')
  const merged = merge(text)
  if (current === undefined || merged !== text) res.setHeader('Vary', merged)
}
