import { inspectValue } from '../../internal/options.ts'
import { expandExpression, type TemplateVariables } from './uri-template-expand.ts'
import { parseTemplate, type TemplatePart } from './uri-template-parse.ts'

/**
 * A URI template of level 4 (RFC 6570), parsed once. Throws a `TypeError` if it is not a template,
 * so that a mistake shows at startup.
 */
export class UriTemplate {
  /** Unique names of the variables, in the order of the template. */
  readonly variables: readonly string[]
  readonly #source: string
  readonly #parts: readonly TemplatePart[]

  constructor(template: string) {
    if (typeof template !== 'string')
      throw new TypeError(`hal: a URI template must be a string, got ${inspectValue(template)}`)
    this.#source = template
    this.#parts = parseTemplate(template)
    const names = this.#parts.flatMap((part) => (typeof part === 'string' ? [] : part.specs.map(({ name }) => name)))
    this.variables = [...new Set(names)]
  }

  /**
   * Returns the URI. Throws a `TypeError` if the value of `{var:3}` is a list or a map (RFC 6570
   * §2.4.1).
   */
  expand(variables: TemplateVariables): string {
    let uri = ''
    for (const part of this.#parts) uri += typeof part === 'string' ? part : expandExpression(part, variables)
    return uri
  }

  /** Returns the template. */
  toString(): string {
    return this.#source
  }
}

/**
 * Expands a URI template (RFC 6570). To expand the same one repeatedly, create a
 * {@link UriTemplate}. Throws a `TypeError` if it is not a template.
 */
export function expandUriTemplate(template: string, variables: TemplateVariables): string {
  return new UriTemplate(template).expand(variables)
}
