import { isEmptyOrDots, isWhole, segment } from './href.ts'
import { expandExpression, type TemplateVariables } from './uri-template-expand.ts'
import { parseTemplate, type TemplatePart } from './uri-template-parse.ts'

/**
 * Fills a template from an item; `undefined` where a variable of the path is absent. What it gives
 * is a clean URI.
 */
export type FillTemplate = (item: object, base: string) => string | undefined

/** A path with one variable, the form of nearly all links: `/orders/{id}/invoice`. */
export interface OneVariable {
  before: string
  name: string
  /** Whether the variable is its whole segment. */
  whole: boolean
  after: string
}

/**
 * Compiles a template of a definition. Simple variables (`{id}`) are required, those of other
 * operators (`{?sort}`) are optional. Throws a `TypeError` if it is not a template.
 */
export function compileTemplate(template: string): FillTemplate {
  const variable = oneVariable(template)
  if (variable) return (item, base) => fillOne(variable, item, base)
  const parts = parseTemplate(template)
  const isPath = template.startsWith('/')
  return (item, base) => fill(parts, item, isPath ? base : '')
}

/** The path with one variable that a template is, or `undefined`. */
export function oneVariable(template: string): OneVariable | undefined {
  const [before, variable, after = '', ...more] = parseTemplate(template)
  if (typeof before !== 'string' || typeof after !== 'string' || more.length > 0 || !before.startsWith('/'))
    return undefined
  const name = simpleName(variable)
  return name === undefined ? undefined : { before, name, whole: isWhole(before, after), after }
}

function fillOne({ before, name, whole, after }: OneVariable, item: object, base: string): string | undefined {
  const value = (item as Record<string, unknown>)[name]
  return value === undefined || value === null ? undefined : base + before + segment(value, whole) + after
}

function fill(parts: readonly TemplatePart[], item: object, base: string): string | undefined {
  let text = base
  for (const [index, part] of parts.entries()) {
    const name = simpleName(part)
    if (name !== undefined) {
      const value = (item as Record<string, unknown>)[name]
      if (value === undefined || value === null) return undefined
      const next = parts[index + 1] ?? ''
      text += segment(value, isEmptyOrDots(value) && isWhole(text, typeof next === 'string' ? next : ''))
    } else text += typeof part === 'string' ? part : expandExpression(part, item as TemplateVariables)
  }
  return text
}

/** The name in `{name}`; `undefined` for literals and for expressions that do more. */
function simpleName(part: TemplatePart | undefined): string | undefined {
  if (part === undefined || typeof part === 'string' || part.operator !== '' || part.specs.length > 1) return undefined
  const [spec] = part.specs
  return spec && !spec.explode && spec.prefix === 0 ? spec.name : undefined
}
