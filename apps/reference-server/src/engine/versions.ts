import { type VersionChange, type Versioning, versioning } from '@svc/versioning'
import type { Collection, Item } from './define.ts'
import type { Field, Fields } from './field.ts'

/** A representation of one item, or what a client sends of it. */
export type Body = Readonly<Record<string, unknown>>

/** An API version. Each is declared in one file; the oldest one shows items as they are stored. */
export interface ApiVersion {
  /** As clients name it: `2`. */
  name: string
  /** Changes since the previous version. */
  changes?: readonly VersionChange<Body, Body>[]
  /** Fields that are new or changed in this version, by collection; `undefined` removes a field. */
  fields?: Readonly<Record<string, Readonly<Record<string, Field | undefined>>>>
  /** Codecs of collections that cannot be derived from the previous version. */
  codecs?: Readonly<Record<string, StoredCodec>>
}

/** Pure functions between stored items and a version. */
export interface StoredCodec {
  /** Returns an item as the version shows it; `stored` holds its visible fields. */
  encode(stored: Body, item: Item): Body
  /**
   * Returns client input as it is stored. Where two values of the input say the same, the one that
   * the client did not touch is stale.
   */
  decode(input: Body, isTouched: IsTouched): Body
}

/** Whether a client sent or patched the value at a JSON pointer. */
export type IsTouched = (pointer: string) => boolean

/** Converts the items of a collection to and from one API version. */
export interface VersionCodec {
  /** The fields of this version. */
  fields: Fields
  /** Names of the fields that are shown. */
  visible: readonly string[]
  /** Returns an item as this version shows it; with `chosen`, only these fields. */
  encode(item: Item, chosen: ReadonlySet<string> | undefined): Record<string, unknown>
  /** Returns input of this version as it is stored. @defaultValue the client sent all of it */
  decode(input: Body, isTouched?: IsTouched): Body
}

/** Returns the codec of a version. Throws a `TypeError` if the version does not exist. */
export type VersionCodecs = (version: string) => VersionCodec

/** The announced end of a version. */
export interface Deprecation {
  since: Date
  sunset: Date
}

/** Creates the conversions between declared versions. */
export function createConversions(declared: readonly ApiVersion[]): Versioning {
  const versions = versioning<string>({ versions: declared.map(({ name }) => name) })
  for (const { name, changes = [] } of declared) for (const change of changes) versions.addChange(name, change)
  return versions
}

/** Compiles how collections look in each declared version, once. */
export function compileVersions(declared: readonly ApiVersion[]): (collection: Collection) => VersionCodecs {
  const versions = createConversions(declared)
  return (collection) => {
    const codecs = new Map(
      declared.map(({ name }, index) => [name, compileCodec(collection, declared.slice(0, index + 1), versions)]),
    )
    return (version) => {
      const codec = codecs.get(version)
      if (!codec) throw new TypeError(`there is no version ${version}`)
      return codec
    }
  }
}

/** Returns a function that removes the version from a path: `/v2/orders` is `/orders`. */
export function compileStripVersion(names: readonly string[]): (path: string) => string {
  const prefixes = names.map((name) => `/v${name}/`)
  return (path) => {
    const prefix = prefixes.find((each) => path.startsWith(each))
    return prefix === undefined ? path : path.slice(prefix.length - 1)
  }
}

// `declared` ends with the version itself. It starts from the last one that names a codec, else
// from what is stored.
function compileCodec(
  { name, fields }: Collection,
  declared: readonly ApiVersion[],
  versions: Versioning,
): VersionCodec {
  const version = declared.at(-1)?.name ?? ''
  const start = declared.findLastIndex(({ codecs }) => codecs?.[name])
  const base = declared[Math.max(start, 0)]
  const stored = base?.codecs?.[name]
  const later = declared.slice(Math.max(start, 0) + 1)
  const isChanged = later.some(({ changes = [] }) => changes.some(({ resource }) => resource === name))
  const convert = (from: string, to: string, body: Body): Body =>
    versions.down(to, name, versions.up(from, name, body)) as Body

  const versionFields = withoutRemoved(Object.assign({}, fields, ...declared.map((each) => each.fields?.[name])))
  const storedVisible = listVisible(fields)
  return {
    fields: versionFields,
    visible: listVisible(versionFields),
    encode(item, chosen) {
      const values: Record<string, unknown> = { id: item.id }
      for (const field of storedVisible) {
        const value = item[field]
        if (value !== undefined) values[field] = value
      }
      const based = stored ? stored.encode(values, item) : values
      const shown = isChanged ? convert(base?.name ?? '', version, based) : based
      return chosen ? pick(shown, chosen) : shown
    },
    decode(input, isTouched = () => true) {
      const converted = isChanged ? convert(version, base?.name ?? '', input) : input
      return stored ? stored.decode(converted, isTouched) : converted
    },
  }
}

function withoutRemoved(fields: Readonly<Record<string, Field | undefined>>): Fields {
  return Object.fromEntries(Object.entries(fields).flatMap(([name, field]) => (field ? [[name, field]] : [])))
}

function listVisible(fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, { visible }]) => (visible ? [name] : []))
}

function pick(shown: Body, chosen: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(shown).filter(([name]) => chosen.has(name)))
}
