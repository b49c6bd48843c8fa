import type { CompiledLink } from './compile-link.ts'
import { encodeSegment } from './href.ts'

/** Returns the JSON of some links of an item, or `''` if there are none. */
export type LinkWriter<T, C> = (item: T, context: C, base: string) => string

/**
 * Joins adjacent links whose paths have the same variable (`/orders/{id}`, `/orders/{id}/invoice`)
 * into one writer, so that the variable is encoded and the text around it is built once, not for
 * each link of each item.
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
  let pieces = buildPieces(group, '')
  let boundTo = ''
  return (item, context, base) => {
    const value = (item as Record<string, unknown>)[name]
    if (value === undefined || value === null) return ''
    if (base !== boundTo) {
      pieces = buildPieces(group, base)
      boundTo = base
    }
    let variable: string | undefined
    let text = ''
    for (const { when, before, after } of pieces) {
      if (when !== undefined && !when(item, context)) continue
      variable ??= encodeSegment(value, whole)
      text += before + variable + after
    }
    return text
  }
}

/** The text before and after the variable of a link. */
interface Piece<T, C> {
  when: CompiledLink<T, C>['when']
  before: string
  after: string
}

/**
 * Between two links that every item has, the text is in one piece. It is built with `join`, which
 * returns a flat string: one built with `+` would be flattened again in each document.
 */
function buildPieces<T, C>(group: readonly CompiledLink<T, C>[], base: string): Piece<T, C>[] {
  const pieces: Piece<T, C>[] = []
  for (const { when, path, open, close } of group) {
    const before = [open, base, path?.before].join('')
    const after = [path?.after, close].join('')
    const last = pieces.at(-1)
    if (!last || last.when || when) pieces.push({ when, before, after })
    else {
      last.after = [last.after, before].join('')
      pieces.push({ when, before: '', after })
    }
  }
  return pieces
}
