import { assertKnownOptions, assertType, assertTypes } from '../../internal/options.ts'
import { findMissingCuries } from './curies.ts'
import type { EmbedDefinition } from './definition.ts'
import type { HalLink } from './link.ts'
import { type CompiledEmbed, RENDERER, type Renderer } from './renderer.ts'

/** Compiles an embed once. `curies` are those of the outer resource. */
export function compileEmbed<T, C, R>(
  owner: string,
  relation: string,
  definition: EmbedDefinition<T, C, R>,
  curies: readonly HalLink[],
): CompiledEmbed<T, C> {
  const where = `hal: embed "${relation}" of ${owner}`
  assertKnownOptions(where, definition, ['resource', 'from', 'many'])
  assertTypes(where, definition, { many: 'boolean' })
  const { resource, from, many = false } = definition
  assertType(where, 'from', from, 'function')
  const renderer = getRenderer<unknown, C>(where, resource)
  const missing = findMissingCuries(curies, renderer.curies)
  const missingText = writeCuries(missing)
  const head = `${JSON.stringify(relation)}:`

  const getValue = (item: T, context: C): unknown => {
    const value = from(item, context)
    if (value === undefined || value === null || value === false) return undefined
    if (!many && Array.isArray(value))
      throw new TypeError(`${where} must be one resource, got an array; for several set many: true`)
    return many && !Array.isArray(value) ? [value] : value
  }
  return {
    relation,
    read(item, context, base) {
      const value = getValue(item, context)
      if (Array.isArray(value)) return value.map((each: unknown) => renderer.read(each, context, base, missing))
      return value === undefined ? undefined : renderer.read(value, context, base, missing)
    },
    write(item, context, base) {
      const value = getValue(item, context)
      if (value === undefined) return ''
      if (!Array.isArray(value)) return head + renderer.write(value, context, base, missingText)
      const texts = value.map((each: unknown) => renderer.write(each, context, base, missingText))
      return `${head}[${texts.join()}]`
    },
  }
}

/** Formats the property of `_links` for curies, with a comma after it. */
export function writeCuries(curies: readonly HalLink[]): string {
  return curies.length === 0 ? '' : `"curies":${JSON.stringify(curies)},`
}

/** Returns the renderer of a resource. Throws a `TypeError` if it is not from `resource()`. */
export function getRenderer<T, C>(where: string, resource: object | undefined): Renderer<T, C> {
  const renderer = (resource as { [RENDERER]?: Renderer<T, C> } | undefined)?.[RENDERER]
  if (renderer === undefined) throw new TypeError(`${where}: resource must be from resource()`)
  return renderer
}
