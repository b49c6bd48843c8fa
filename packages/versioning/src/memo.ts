const MAX_ENTRIES = 256
const MAX_LENGTH = 256

/**
 * Remembers what a pure reader makes of a header: clients send the same strings again and again. Bounded in entries
 * and in length, so that strange headers cost their reading and no memory.
 */
export function memo<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  let lastText: string | undefined
  let lastResult: T
  return (text) => {
    if (text === lastText) return lastResult
    if (text.length > MAX_LENGTH) return read(text)
    let result = known.get(text)
    if (result === undefined && !known.has(text)) {
      result = read(text)
      if (known.size >= MAX_ENTRIES) known.clear()
      known.set(text, result)
    }
    lastText = text
    lastResult = result as T
    return lastResult
  }
}
