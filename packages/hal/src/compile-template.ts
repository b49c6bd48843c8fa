import { isWhole, segment } from './href.ts'
import { expandExpression, type TemplateVariables } from './uri-template-expand.ts'
import { type Expression, parseTemplate, type TemplatePart } from './uri-template-parse.ts'

/** Fills a template from an item; `undefined` where a variable of the path is absent. What it gives is a clean URI. */
export type FilledTemplate = (item: object, base: string) => string | undefined

/**
 * Compiles a template of a definition. Simple variables (`{id}`) are required, those of other operators
 * (`{?sort}`) are optional. Throws a TypeError for what is no template.
 */
export function compileTemplate(template: string): FilledTemplate {
  const parts = parseTemplate(template)
  const [before, variable, after] = parts
  const isPath = template.startsWith('/')
  if (typeof before === 'string' && isPath && isSimple(variable) && parts.length <= 3) {
    if (after === undefined || typeof after === 'string') return oneVariable(before, variable, after ?? '')
  }
  return (item, base) => fill(parts, item, isPath ? base : '')
}

/** Nearly all links have the form `/orders/{id}/invoice`: one concatenation. */
function oneVariable(before: string, { specs }: Expression, after: string): FilledTemplate {
  const name = specs[0]?.name ?? ''
  const whole = isWhole(before, after)
  return (item, base) => {
    const value = (item as Record<string, unknown>)[name]
    if (value === undefined || value === null) return undefined
    return base + before + segment(value, whole) + after
  }
}

function fill(parts: readonly TemplatePart[], item: object, base: string): string | undefined {
  let text = ''
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'string') text += part
    else if (isSimple(part)) {
      const value = (item as Record<string, unknown>)[part.specs[0]?.name ?? '']
      if (value === undefined || value === null) return undefined
      const next = parts[index + 1]
      text += segment(value, isWhole(text, typeof next === 'string' ? next : ''))
    } else text += expandExpression(part, item as TemplateVariables)
  }
  return base + text
}

function isSimple(part: TemplatePart | undefined): part is Expression {
  if (part === undefined || typeof part === 'string') return false
  const spec = part.specs[0]
  return part.operator === '' && part.specs.length === 1 && spec?.explode === false && spec.prefix === 0
}
