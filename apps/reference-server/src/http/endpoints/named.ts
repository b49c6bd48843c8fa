import { failure, noun } from '../../messages/errors.ts'
import { quoteInput } from '../../messages/messages.ts'

/** What a path names: 404 if there is nothing of this name. */
export function requireNamed<T>(all: ReadonlyMap<string, T>, item: string, name: string): T {
  const named = all.get(name)
  if (named === undefined) throw failure('NOT_FOUND.item', { item: noun(item), id: quoteInput(name) })
  return named
}
