import { encodeSegment, isEmptyOrDots, isWhole } from './href.ts'
import { expandExpression, type TemplateVariables } from './uri-template-expand.ts'
import { parseTemplate, type TemplatePart } from './uri-template-parse.ts'

/**
 * Expands a template with an item. Returns a valid URI, or `undefined` if a variable of the path is
 * absent.
 */
export type FillTemplate = (item: object, base: string) => string | undefined

/** A path with one variable, as most links have: `/orders/{id}/invoice`. */
export interface SingleVariable {
  before: string
  name: string
  /** Whether the variable is a complete segment. */
  whole: boolean
  after: string
}

/**
 * Compiles a template of a definition. Simple variables (`{id}`) are required, those of other
 * operators (`{?sort}`) are optional. Throws a `TypeError` if it is not a template.
 */
export function compileTemplate(template: string): FillTemplate {
  const variable = findSingleVariable(template)
  if (variable) return (item, base) => fillSingle(variable, item, base)
  const parts = parseTemplate(template)
  const isPath = template.startsWith('/')
  return (item, base) => fill(parts, item, isPath ? base : '')
}

/** Returns the parts of a path with one variable, or `undefined` for any other template. */
export function findSingleVariable(template: string): SingleVariable | undefined {
  const [before, variable, after = '', ...more] = parseTemplate(template)
  if (typeof before !== 'string' || typeof after !== 'string' || more.length > 0 || !before.startsWith('/'))
    return undefined
  const name = getSimpleName(variable)
  return name === undefined ? undefined : { before, name, whole: isWhole(before, after), after }
}

function fillSingle({ before, name, whole, after }: SingleVariable, item: object, base: string): string | undefined {
  const value = (item as Record<string, unknown>)[name]
  return value === undefined || value === null ? undefined : base + before + encodeSegment(value, whole) + after
}

function fill(parts: readonly TemplatePart[], item: object, base: string): string | undefined {
  let text = base
  for (const [index, part] of parts.entries()) {
    const name = getSimpleName(part)
    if (name !== undefined) {
      const value = (item as Record<string, unknown>)[name]
      if (value === undefined || value === null) return undefined
      const next = parts[index + 1] ?? ''
      text += encodeSegment(value, isEmptyOrDots(value) && isWhole(text, typeof next === 'string' ? next : ''))
    } else text += typeof part === 'string' ? part : expandExpression(part, item as TemplateVariables)
  }
  return text
}

/** Returns the name in `{name}`, or `undefined` for literals and other expressions. */
function getSimpleName(part: TemplatePart | undefined): string | undefined {
  if (part === undefined || typeof part === 'string' || part.operator !== '' || part.specs.length > 1) return undefined
  const [spec] = part.specs
  return spec && !spec.explode && spec.prefix === 0 ? spec.name : undefined
}
