import type { Collection, Fields, Item } from '../resources/define.ts'
import { v2 } from './v2.ts'

/** How the items of a collection look in one API version. */
export interface Wire {
  /** The fields that clients of this version send. */
  fields: Fields
  /** Names of the fields that are shown. */
  visible: readonly string[]
  /** What is shown of an item; with `chosen`, only these fields. */
  show(item: Item, chosen: ReadonlySet<string> | undefined): Record<string, unknown>
  /** Turns what a client of this version sent into fields as they are kept. */
  accept(input: Record<string, unknown>): Record<string, unknown>
}

/** What a version does differently with one collection: pure functions at the edge, controllers know one shape. */
export interface Transform {
  /** Fields of another type than in the declaration. */
  fields: Fields
  down(shown: Record<string, unknown>, item: Item): Record<string, unknown>
  up(input: Record<string, unknown>): Record<string, unknown>
}

const transforms: Readonly<Record<string, Readonly<Record<string, Transform>>>> = { 2: v2 }

/** Works out the wire form of a collection in a version, once. */
export function wireOf(collection: Collection, version: string): Wire {
  const transform = transforms[version]?.[collection.name]
  const fields: Fields = { ...collection.fields, ...transform?.fields }
  const visible = Object.entries(collection.fields).flatMap(([name, { visible }]) => (visible ? [name] : []))
  const show = (item: Item): Record<string, unknown> => {
    const shown: Record<string, unknown> = { id: item.id }
    for (const name of visible) {
      const value = item[name]
      if (value !== undefined) shown[name] = value
    }
    return transform ? transform.down(shown, item) : shown
  }
  return {
    fields,
    visible,
    show: (item, chosen) => (chosen ? only(show(item), chosen) : show(item)),
    accept: transform?.up ?? ((input) => input),
  }
}

function only(shown: Record<string, unknown>, chosen: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(shown).filter(([name]) => chosen.has(name)))
}
