import { type HttpError, toProblem, toRecord } from '@svc/errors'
import { isSafe } from '../../engine/route.ts'
import { CODES, type Code } from '../../messages/codes.ts'
import { createExample, failure } from '../../messages/errors.ts'
import common from './common-components.json' with { type: 'json' }
import { type Operation, type Reference, schemaReference } from './components.ts'

/** Returns the error responses of an operation, as references. */
export function buildErrorResponses({ method, path, action, components }: Operation): Record<string, Reference> {
  const isProtectedChange = action.scope !== undefined && !isSafe(method)
  const statuses = [
    ...(path.includes('{') ? (['404'] as const) : []),
    ...(isProtectedChange ? (['409', '412'] as const) : []),
    ...(action.accepts.length > 0 ? (['422'] as const) : []),
    '4XX',
    '5XX',
  ] as const
  return Object.fromEntries(
    statuses.map((status) => {
      const { name, examples, ...response } = common.errors[status]
      const content = buildContent(Object.entries(examples) as [name: string, code: Code][])
      return [status, components.add('responses', name, { ...response, content })]
    }),
  )
}

const OCCURRENCE = { path: '/employees', now: Date.UTC(2026, 10, 21, 7, 30) }
const TEXT = { schema: { type: 'string' } }

function buildContent(named: readonly (readonly [name: string, code: Code])[]): object {
  const show = (write: (error: HttpError) => object): object =>
    Object.fromEntries(named.map(([name, code]) => [name, { value: write(createError(code)) }]))
  return {
    'application/json': {
      schema: schemaReference('Error'),
      examples: show((error) => toRecord(error, OCCURRENCE)),
    },
    'application/problem+json': {
      schema: schemaReference('Problem'),
      examples: show((error) => toProblem(error, OCCURRENCE)),
    },
    'application/xml': TEXT,
    'text/html': TEXT,
    'text/plain': TEXT,
  }
}

// Only errors about values name one: the others are those of every operation.
function createError(code: Code): HttpError {
  const { status } = CODES[code]
  return status === 400 || status === 422 ? createExample(code) : failure(code)
}
