import type { CompiledLink } from './compile-link.ts'
import type { SingleVariable } from './compile-template.ts'
import { encodeSegment } from './href.ts'

/**
 * Returns `start`, the JSON of the links of an item, and the text after them; `''` without `self`.
 */
export type LinkWriter<T, C> = (item: T, context: C, base: string, start: string) => string

/**
 * Joins links, of which `self` is the first, into one writer. Most have a path with one variable
 * (`/orders/{id}`, `/orders/{id}/invoice`): the text between two of them is built once, not for
 * each item, and the variable of `self` is encoded once for each item.
 */
export function joinLinks<T, C>(links: readonly CompiledLink<T, C>[], after: string): LinkWriter<T, C> {
  let pieces: readonly Piece<T, C>[] = []
  let end = ''
  let boundTo: string | undefined
  return (item, context, base, start) => {
    if (base !== boundTo) {
      pieces = buildPieces(links, base)
      end = [pieces.at(-1)?.close, after].join('')
      boundTo = base
    }
    let text = start
    let close = '' // of the last link, if it is still open
    let id: string | undefined
    for (const piece of pieces) {
      const { link, hasId } = piece
      const { path, when } = link
      let variable: string | undefined
      if (path !== undefined && (when === undefined || when(item, context))) {
        variable = hasId && id !== undefined ? id : encodeVariable(item, path)
        if (hasId) id = variable
      }
      if (variable !== undefined) {
        text = text + (close === '' ? piece.open : piece.joint) + variable
        close = piece.close
      } else {
        const json = path === undefined ? link.write(item, context, base) : ''
        if (json === '' && link.relation === 'self') return ''
        text += close + json
        close = ''
      }
    }
    return text + (close === '' ? after : end)
  }
}

function encodeVariable(item: unknown, { name, whole }: SingleVariable): string | undefined {
  const value = (item as Record<string, unknown>)[name]
  return value === undefined || value === null ? undefined : encodeSegment(value, whole)
}

/** A link, and the text around its variable. */
interface Piece<T, C> {
  link: CompiledLink<T, C>
  /** Whether the variable is that of `self`. */
  hasId: boolean
  open: string
  close: string
  /** The text between the variable of the previous link and this one. */
  joint: string
}

/**
 * The texts are built with `join`, which returns a flat string: one built with `+` would be
 * flattened again in each document.
 */
function buildPieces<T, C>(links: readonly CompiledLink<T, C>[], base: string): Piece<T, C>[] {
  const id = links[0]?.path
  const pieces: Piece<T, C>[] = []
  let last: string | undefined
  for (const link of links) {
    const { path } = link
    const open = [link.open, base, path?.before].join('')
    const close = [path?.after, link.close].join('')
    const hasId = path?.name === id?.name && path?.whole === id?.whole
    pieces.push({ link, hasId, open, close, joint: [last, open].join('') })
    last = close
  }
  return pieces
}
