import type { CompiledLink } from './compile-link.ts'
import { encodeSegment } from './href.ts'

/** Returns the JSON of some links of an item, or `''` if there are none. */
export type LinkWriter<T, C> = (item: T, context: C, base: string) => string

/**
 * Joins adjacent links whose paths have the same variable (`/orders/{id}`, `/orders/{id}/invoice`)
 * into one writer, so that the text between the variables is built once, not for each link of each
 * item.
 */
export function joinWriters<T, C>(links: readonly CompiledLink<T, C>[]): LinkWriter<T, C>[] {
  const writers: LinkWriter<T, C>[] = []
  for (let index = 0; index < links.length; ) {
    const group = takeSameVariable(links, index)
    const [first] = group
    if (first) writers.push(first.path ? createGroupWriter(group) : first.write)
    index += group.length
  }
  return writers
}

function takeSameVariable<T, C>(links: readonly CompiledLink<T, C>[], from: number): CompiledLink<T, C>[] {
  const path = links[from]?.path
  let to = from + 1
  if (path !== undefined) {
    while (links[to]?.path?.name === path.name && links[to]?.path?.whole === path.whole) to++
  }
  return links.slice(from, to)
}

function createGroupWriter<T, C>(group: readonly CompiledLink<T, C>[]): LinkWriter<T, C> {
  const { name = '', whole = true } = group[0]?.path ?? {}
  let weave = createWeaver(getTextsBetween(group, ''))
  let boundTo = ''
  return (item, _context, base) => {
    const value = (item as Record<string, unknown>)[name]
    if (value === undefined || value === null) return ''
    if (base !== boundTo) {
      weave = createWeaver(getTextsBetween(group, base))
      boundTo = base
    }
    return weave(encodeSegment(value, whole))
  }
}

/**
 * Returns a function that joins texts with a variable. Unrolled for the usual counts, since a loop
 * would double the cost.
 */
function createWeaver(texts: readonly string[]): (variable: string) => string {
  const [a = '', b = '', c = '', d = ''] = texts
  if (texts.length === 2) return (variable) => a + variable + b
  if (texts.length === 3) return (variable) => a + variable + b + variable + c
  if (texts.length === 4) return (variable) => a + variable + b + variable + c + variable + d
  return (variable) => texts.join(variable)
}

/**
 * Built with `join`, which returns a flat string: one built with `+` would be flattened again in
 * each document.
 */
function getTextsBetween<T, C>(group: readonly CompiledLink<T, C>[], base: string): string[] {
  const texts = ['']
  for (const { path, open, close } of group) {
    texts.push([texts.pop(), open, base, path?.before].join(''), [path?.after, close].join(''))
  }
  return texts
}
