import { inspectValue } from '../../../internal/options.ts'

/**
 * Throws unless the value is the text of a document. What is often passed instead is named with its
 * remedy.
 *
 * @param remedy - what to pass instead of a URL, by the URL
 */
export function assertText(
  owner: string,
  meaning: string,
  value: unknown,
  remedy: (url: string) => string,
): asserts value is string {
  const mistake = findMistake(value, remedy)
  if (mistake !== undefined) throw new TypeError(`${owner}: ${meaning}, got ${mistake}`)
}

function findMistake(value: unknown, remedy: (url: string) => string): string | undefined {
  if (value instanceof Uint8Array) return "bytes: pass readFileSync(file, 'utf8')"
  if (value instanceof Promise) return 'a promise: await it'
  const text = value instanceof URL ? value.href : value
  if (typeof text !== 'string') return inspectValue(value)
  if (text.includes('<')) return undefined
  const location = text.trim()
  if (/^(https?|file):/i.test(location)) return `a URL: pass ${remedy(location)}`
  if (/^[\w./\\:-]{1,200}$/.test(location))
    return `what looks like a file name: pass readFileSync('${location}', 'utf8')`
  return undefined
}
