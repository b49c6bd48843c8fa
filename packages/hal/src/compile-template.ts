import { encodeSegment, isEmptyOrDots, isWhole } from './href.ts'
import { expandVariables, type TemplateValue, type TemplateVariables } from './uri-template-expand.ts'
import { parseTemplate, type TemplatePart } from './uri-template-parse.ts'

/**
 * Expands a template with an item, in every context alike. Returns a valid URI, or `undefined` if a
 * variable of the path is absent.
 */
export type FillTemplate = (item: unknown, context: unknown, base: string) => string | undefined

/** A path with one variable, as most links have: `/orders/{id}/invoice`. */
export interface SingleVariable {
  before: string
  name: string
  /** Whether the variable is a complete segment. */
  whole: boolean
  after: string
}

const REQUIRED: readonly string[] = ['', '+', '/']

/**
 * Compiles a template of a definition. Variables of the path (`{id}`, `{+path}`, `{/id}`) are
 * required, those of other operators (`{?sort}`) are optional. Throws a `TypeError` if it is not a
 * template.
 */
export function compileTemplate(template: string): FillTemplate {
  const variable = findSingleVariable(template)
  if (variable) {
    const { before, name, whole, after } = variable
    return (item, _context, base) => {
      const value = (item as Record<string, unknown>)[name]
      return value === undefined || value === null ? undefined : base + before + encodeSegment(value, whole) + after
    }
  }
  const parts = parseTemplate(template)
  const names = parts.map(getSimpleName)
  const isPath = template.startsWith('/')
  return (item, _context, base) => fill(parts, names, item as object, isPath ? base : '')
}

/** Returns the parts of a path with one variable, or `undefined` for any other template. */
export function findSingleVariable(template: string): SingleVariable | undefined {
  const [before, variable, after = '', ...more] = parseTemplate(template)
  if (typeof before !== 'string' || typeof after !== 'string' || more.length > 0 || !before.startsWith('/'))
    return undefined
  const name = getSimpleName(variable)
  return name === undefined ? undefined : { before, name, whole: isWhole(before, after), after }
}

/** Position of expanded values in a URL. */
interface Span {
  start: number
  end: number
}

function fill(
  parts: readonly TemplatePart[],
  names: readonly (string | undefined)[],
  item: object,
  base: string,
): string | undefined {
  const spans: Span[] = []
  let text = base
  for (const [index, part] of parts.entries()) {
    const name = names[index]
    if (name !== undefined) {
      const value = (item as Record<string, unknown>)[name]
      if (value === undefined || value === null) return undefined
      const next = parts[index + 1] ?? ''
      text += encodeSegment(value, isEmptyOrDots(value) && isWhole(text, typeof next === 'string' ? next : ''))
    } else if (typeof part === 'string') text += part
    else {
      const { operator } = part
      const isRequired = REQUIRED.includes(operator)
      const expanded = expandVariables(part, item, readValue, isRequired)
      if (expanded === undefined && isRequired) return undefined
      if (expanded === undefined) continue
      // The slash of `{/id}` belongs to the template, unless it would make the path a host.
      const start = text.length + (operator === '/' && text !== `${base}/` ? 1 : 0)
      text += expanded
      if (isRequired || operator === '.') spans.push({ start, end: text.length })
    }
  }
  if (spans.length > 0) assertSegments(text, spans)
  return text
}

/** Reads a property, also through the getter of a class, but not one that every object has. */
function readValue(item: object, name: string): TemplateValue {
  if (name in Object.prototype && !Object.hasOwn(item, name)) return undefined
  const value = (item as TemplateVariables)[name]
  return typeof value === 'function' ? encodeSegment(value, false) : value // throws for a method
}

/** Throws if values make a segment of the path empty, `.` or `..`; URL parsers decode `%2e`. */
function assertSegments(url: string, spans: readonly Span[]): void {
  const [path = ''] = url.split(/[?#]/, 1)
  let start = 0
  for (const segment of path.split('/')) {
    const end = start + segment.length
    if (spans.some((span) => span.start <= end && span.end >= start))
      encodeSegment(segment.replaceAll(/%2e/gi, '.'), true)
    start = end + 1
  }
}

/**
 * Returns the name in `{name}`, or `undefined` for literals, for other expressions, and for a name
 * that every object has.
 */
function getSimpleName(part: TemplatePart | undefined): string | undefined {
  if (part === undefined || typeof part === 'string' || part.operator !== '' || part.specs.length > 1) return undefined
  const [spec] = part.specs
  return spec && !spec.explode && spec.prefix === 0 && !(spec.name in Object.prototype) ? spec.name : undefined
}
