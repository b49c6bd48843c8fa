import type { JsonSchema } from '../../engine/fields.ts'
import { money } from '../../engine/money-field.ts'
import { type Components, schemaReference } from './components.ts'
import { QUERY_EXAMPLE } from './examples.ts'

const text = (description: string): JsonSchema => ({ type: 'string', description })
const words = (description: string): JsonSchema => ({ type: 'array', items: { type: 'string' }, description })
const count = (description: string, minimum = 0): JsonSchema => ({ type: 'integer', minimum, description })
const flag = (description: string): JsonSchema => ({ type: 'boolean', description })

const ENTRIES: JsonSchema = {
  type: 'array',
  items: schemaReference('ErrorEntry'),
  description: 'What is wrong with each value.',
}

const FORMS: JsonSchema = {
  type: 'object',
  properties: {
    _templates: {
      type: 'object',
      description: 'Forms that the user may send, by name (HAL-FORMS).',
      additionalProperties: {
        type: 'object',
        properties: {
          method: text('HTTP method.'),
          target: text('URL to send the form to.'),
          contentType: text('Media type of the body.'),
          title: text('Title of the form.'),
          properties: {
            type: 'array',
            description: 'Inputs.',
            items: {
              type: 'object',
              properties: {
                name: text('Name of the field.'),
                prompt: text('Label of the input.'),
                required: flag('Whether a value is required.'),
                type: text('Kind of input, as in HTML.'),
                placeholder: text('How a value looks.'),
                minLength: count('Characters at least.'),
                maxLength: count('Characters at most.'),
                min: { type: 'number', description: 'Minimum.' },
                max: { type: 'number', description: 'Maximum.' },
                step: { type: 'number', description: 'Step between values.' },
                regex: text('Pattern of the value.'),
                options: { type: 'object', description: 'Values to choose from.' },
                value: { description: 'Current value.' },
              },
              required: ['name'],
            },
          },
        },
        required: ['method'],
      },
    },
  },
}

const COMMON_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Link: {
    type: 'object',
    properties: {
      href: text('URL, or a URI template (RFC 6570).'),
      templated: flag('Whether `href` is a template.'),
    },
    required: ['href'],
  },
  Links: {
    type: 'object',
    description:
      'Links by relation, as in HAL. A link is only present if the user may follow it. `/rels` explains each relation.',
    properties: { self: schemaReference('Link') },
    additionalProperties: schemaReference('Link'),
  },
  Query: {
    type: 'object',
    description: 'The parameters of GET in a body (RFC 10008).',
    properties: {
      filter: { type: 'object', description: 'By field: a value, a list of values, or operators with their values.' },
      sort: words('Fields to sort by. A minus sorts in descending order.'),
      fields: words('Fields to return.'),
      embed: words('Linked items to include, by relation.'),
      cursor: text('Position to read from, as in the link `next`; empty for the first page.'),
      page: count('Number of the page, starting at 0.'),
      size: count('Items per page.', 1),
    },
    additionalProperties: false,
    examples: [QUERY_EXAMPLE],
  },
  JsonPatch: {
    type: 'array',
    description: 'Operations of a JSON Patch (RFC 6902). All of them are applied, or none.',
    maxItems: 100,
    items: {
      type: 'object',
      properties: {
        op: { type: 'string', enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'], description: 'Operation.' },
        path: text('JSON Pointer to the value.'),
        from: text('JSON Pointer to the source of `move` and `copy`.'),
        value: { description: 'Value of `add`, `replace` and `test`.' },
      },
      required: ['op', 'path'],
    },
  },
  PageInfo: {
    type: 'object',
    properties: {
      number: count('Number of the page, starting at 0. Absent if the client pages by `cursor`.'),
      size: { ...count('Items per page.', 1), maximum: 100 },
      totalElements: count('Number of items on all pages. Absent if the client prefers `return=minimal`.'),
      totalPages: count('Number of pages.'),
    },
    required: ['size'],
  },
  ErrorEntry: {
    type: 'object',
    properties: {
      pointer: text('JSON Pointer to the value in the body.'),
      location: text('Where the value is: `body`, `query`, `path` or `header`.'),
      field: text('Name of the value.'),
      code: text('Stable code of what is wrong.'),
      detail: text('What is wrong, in the language that `Accept-Language` prefers.'),
    },
  },
  Error: {
    type: 'object',
    description: 'Body of every error response.',
    properties: {
      timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
      status: { type: 'integer', description: 'HTTP status.' },
      error: text('Reason phrase of the status; for `/tokens` the error code of OAuth 2.0.'),
      message: text('What is wrong and what to do about it, in the language that `Accept-Language` prefers.'),
      path: text('Path of the request.'),
      code: text('Stable code of the error. `/problems` explains each code.'),
      errors: ENTRIES,
      error_description: text('The message for OAuth 2.0 clients of `/tokens`.'),
    },
    required: ['timestamp', 'status', 'error', 'message', 'path'],
  },
  Problem: {
    type: 'object',
    description: 'The same error as problem details (RFC 9457).',
    properties: {
      type: { type: 'string', format: 'uri-reference', description: 'Page that explains the code.' },
      title: text('Reason phrase of the status.'),
      status: { type: 'integer', description: 'HTTP status.' },
      detail: text('What is wrong and what to do about it.'),
      instance: text('Path of the request.'),
      timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
      path: text('Path of the request, as in `Error`.'),
      code: text('Stable code of the error.'),
      errors: ENTRIES,
    },
    required: ['title', 'status'],
  },
}

const { json: MONEY } = money()
const MONEY_TEXT = JSON.stringify(MONEY)

/** Adds the schemas that all collections share. */
export function addCommonSchemas(components: Components, formsExample: object | undefined): void {
  for (const [name, schema] of Object.entries(COMMON_SCHEMAS)) components.add('schemas', name, schema)
  components.add('schemas', 'Forms', { ...FORMS, ...(formsExample && { examples: [formsExample] }) })
  components.add('schemas', 'Money', { ...MONEY, description: 'Exact amount of money and its currency.' })
}

/** Returns a schema with references to what all collections share: amounts of money, on every level. */
export function shareSchemas({ description, readOnly, ...schema }: JsonSchema): JsonSchema {
  const notes = { ...(description !== undefined && { description }), ...(readOnly === true && { readOnly }) }
  if (JSON.stringify(schema) === MONEY_TEXT) return { ...schemaReference('Money'), ...notes }
  const { properties, items } = schema as { properties?: Record<string, JsonSchema>; items?: JsonSchema }
  const members = Object.entries(properties ?? {}).map(([name, member]) => [name, shareSchemas(member)])
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(members) }),
    ...(items && { items: shareSchemas(items) }),
    ...notes,
  }
}
