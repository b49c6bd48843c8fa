import type { RecognizedError } from '../classification.ts'
import { CONFLICT, DUPLICATE, VALUE_REJECTED } from './constraint.ts'
import { RETRY_LATER } from './network.ts'

// prisma.io/docs/orm/reference/error-reference. P2003 does not say which end of the reference is
// wrong. P2024 is a full connection pool, P2034 a deadlock, P2037 too many connections.
const CODES = new Map<unknown, RecognizedError>([
  ['P2002', DUPLICATE],
  ['P2001', { status: 404 }],
  ['P2015', { status: 404 }],
  ['P2018', { status: 404 }],
  ['P2025', { status: 404 }],
  ['P2003', CONFLICT],
  ['P2014', CONFLICT],
  ['P2000', VALUE_REJECTED],
  ['P2004', VALUE_REJECTED],
  ['P2020', VALUE_REJECTED],
  ['P2024', RETRY_LATER],
  ['P2034', RETRY_LATER],
  ['P2037', RETRY_LATER],
  ['P1001', RETRY_LATER],
  ['P1002', RETRY_LATER],
  ['P1008', RETRY_LATER],
  ['P1017', RETRY_LATER],
])

/** Recognizes errors of Prisma by their names and codes. An invalid call is a bug: 500. */
export function fromPrisma(error: object): RecognizedError | undefined {
  const { name, code, errorCode } = error as Partial<Record<string, unknown>>
  const isPrisma = name === 'PrismaClientKnownRequestError' || name === 'PrismaClientInitializationError'
  return isPrisma ? CODES.get(code ?? errorCode) : undefined
}
