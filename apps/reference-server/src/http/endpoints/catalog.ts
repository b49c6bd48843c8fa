import { type Fields, objectSchema } from '../../engine/field.ts'
import * as field from '../../engine/field-types.ts'
import { type ActionInfo, type Payload, type Route, recordRoute } from '../../engine/route.ts'
import type { Page, PageView } from '../../formats/pages/view.ts'
import { failure, noun } from '../../messages/errors.ts'
import { quoteInput } from '../../messages/messages.ts'

type Info = Omit<ActionInfo, 'tag'> & { record: string }

/** Public documentation of named things: a path with all of them, and a path below it for each. */
export interface Catalog<T> {
  /** `/problems` */
  path: string
  /** Name of the variable of the path below. */
  variable: string
  entries: ReadonlyMap<string, T & { path: string }>
  list: Info & {
    /** Name of its schema. */
    type: string
    items: string
    fields: Fields
    summarize(entry: T): object
    page(view: PageView, entries: readonly T[]): Page
  }
  entry: Info & {
    type: string
    schema: Payload['schema']
    describe(entry: T): Record<string, unknown>
    page(view: PageView, entry: T): Page
  }
}

/** Creates the two routes of a catalog. */
export function catalogRoutes<T>({ path, variable, entries, list: all, entry: one }: Catalog<T>): Route[] {
  const common = { cache: 'public', tag: 'discovery' } as const
  const shown = [...entries.values()]
  const [first] = shown
  const value = { items: shown.map(all.summarize) }
  const links = { self: path }
  const schema = objectSchema({ items: field.list(field.group(all.fields)).describe(all.items) })
  const example = { items: value.items.slice(0, 2) }
  const describe = (entry: T & { path: string }) => ({
    value: one.describe(entry),
    links: { self: entry.path, collection: path },
  })
  const { value: sample, links: sampleLinks } = first ? describe(first) : { value: {}, links: {} }
  return [
    recordRoute(path, { ...common, ...toInfo(all), gives: { name: all.type, schema, example, links } }, () => ({
      value,
      links,
      page: (view) => all.page(view, shown),
    })),
    recordRoute(
      `${path}/{${variable}}`,
      { ...common, ...toInfo(one), gives: { name: one.type, schema: one.schema, example: sample, links: sampleLinks } },
      ({ params }) => {
        const entry = requireNamed(entries, one.record, params[variable] ?? '')
        return { ...describe(entry), page: (view) => one.page(view, entry) }
      },
    ),
  ]
}

function toInfo({ record, operationId, summary, description }: Info): Info {
  return { record, operationId, summary, description }
}

/** Returns the entry with this name. Throws a 404 if there is none. */
export function requireNamed<T>(entries: ReadonlyMap<string, T>, item: string, name: string): T {
  const entry = entries.get(name)
  if (entry === undefined) throw failure('NOT_FOUND.item', { item: noun(item), id: quoteInput(name) })
  return entry
}
