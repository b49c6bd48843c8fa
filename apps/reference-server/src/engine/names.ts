import type { Collection } from './define.ts'

/** Names of a collection in the OpenAPI document and in clients generated from it. */
export interface CollectionNames {
  /** One item, as a type: `OrderItem`. */
  item: string
  /** All items, as part of a method name: `OrderItems`. */
  items: string
  /** One item in a sentence, with its article: `an employee`. */
  oneItem: string
  /** All items in a sentence: `SOAP events`. */
  allItems: string
}

/** Returns the names of a collection. Items below a parent carry its name: an item of an order is an `OrderItem`. */
export function namesOf(
  { name, item, parent }: Pick<Collection, 'name' | 'item' | 'parent'>,
  collections: readonly Pick<Collection, 'name' | 'item'>[],
): CollectionNames {
  const owner = collections.find((one) => one.name === parent)?.item ?? ''
  const prefix = toPascalCase(owner)
  return {
    item: prefix + toPascalCase(item),
    items: prefix + toPascalCase(name),
    oneItem: `${/^[aeio]/.test(owner || item) ? 'an' : 'a'} ${toWords(owner, item)}`,
    allItems: toWords(owner, name),
  }
}

/** `order-label` as part of a name in code: `OrderLabel`. */
export function toPascalCase(name: string): string {
  return name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function toWords(...names: readonly string[]): string {
  return names
    .filter(Boolean)
    .join(' ')
    .replaceAll('-', ' ')
    .replace(/\bsoap\b/g, 'SOAP')
}
