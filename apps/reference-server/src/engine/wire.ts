import { newest } from '../domain/versions/newest.ts'
import { serviceVersions } from '../domain/versions/service-versions.ts'
import * as v2 from '../domain/versions/v2.ts'
import type { Collection, Fields, Item } from './define.ts'

/** How the items of a collection look in one API version. */
export interface Wire {
  /** The fields that clients of this version send. */
  fields: Fields
  /** Names of the fields that are shown. */
  visible: readonly string[]
  /** What is shown of an item; with `chosen`, only these fields. */
  show(item: Item, chosen: ReadonlySet<string> | undefined): Record<string, unknown>
  /** Turns what a client of this version sent into fields as they are kept. */
  accept(input: v2.Body): v2.Body
  /** Removes from a patched representation what the patch made stale. */
  settle(patched: unknown, isTouched: (pointer: string) => boolean): unknown
}

// The changes between versions do not depend on where the service is.
const versions = serviceVersions('')

/** Fields of another type than in the declaration, by version. */
const changed: Readonly<Record<string, Readonly<Record<string, Fields>>>> = { 2: v2.fields }

/** Works out the wire form of a collection in a version, once. */
export function wireOf({ name, fields }: Collection, version: string): Wire {
  const served = versions.versions.find((one) => one === version)
  if (served === undefined) throw new TypeError(`there is no version ${version}`)
  const edge = newest[name]?.keptAs === version ? undefined : newest[name]
  const visible = Object.entries(fields).flatMap(([field, { visible }]) => (visible ? [field] : []))
  const show = (item: Item): v2.Body => {
    const shown: Record<string, unknown> = { id: item.id }
    for (const field of visible) {
      const value = item[field]
      if (value !== undefined) shown[field] = value
    }
    return edge ? (versions.down(served, name, edge.show(shown, item)) as v2.Body) : shown
  }
  return {
    fields: { ...fields, ...changed[version]?.[name] },
    visible,
    show: (item, chosen) => (chosen ? only(show(item), chosen) : show(item)),
    settle: (patched, isTouched) =>
      edge?.settle && served === versions.latest && isBody(patched) ? edge.settle(patched, isTouched) : patched,
    accept: edge ? (input) => edge.accept(versions.up(served, name, input) as v2.Body) : (input) => input,
  }
}

function isBody(value: unknown): value is v2.Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function only(shown: v2.Body, chosen: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(shown).filter(([name]) => chosen.has(name)))
}
