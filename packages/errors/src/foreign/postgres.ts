import type { RecognizedError } from '../classification.ts'
import { CONFLICT, DUPLICATE, IN_USE, UNKNOWN_REFERENCE, VALUE_REJECTED } from './constraint.ts'
import { RETRY_LATER } from './network.ts'

// SQLSTATE (PostgreSQL manual, appendix A), whole codes before classes. The later ones in order:
// serialization failure, deadlock, lock not available, statement timeout, shutdown (three),
// connection, and a lack of connections, memory or disk.
const STATES = new Map<string, RecognizedError>([
  ['23505', DUPLICATE],
  ['23P01', CONFLICT],
  ['23514', VALUE_REJECTED],
  ['40001', RETRY_LATER],
  ['40P01', RETRY_LATER],
  ['55P03', RETRY_LATER],
  ['57014', RETRY_LATER],
  ['57P01', RETRY_LATER],
  ['57P02', RETRY_LATER],
  ['57P03', RETRY_LATER],
  ['08', RETRY_LATER],
  ['53', RETRY_LATER],
])

// pg throws these without a code if the server is unreachable.
const CONNECTION_LOST = new Set<unknown>([
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error and is not queryable',
])

/** Recognizes errors of pg, and of any client that keeps the fields of PostgreSQL errors. */
export function fromPostgres(error: object): RecognizedError | undefined {
  const { code, severity, message } = error as Partial<Record<string, unknown>>
  if (CONNECTION_LOST.has(message)) return RETRY_LATER
  if (typeof code !== 'string' || code.length !== 5 || typeof severity !== 'string') return undefined
  if (code === '23503') return fromForeignKey(String(message))
  return STATES.get(code) ?? STATES.get(code.slice(0, 2))
}

/** Both ends of a reference have the same state; only the English message differs. */
function fromForeignKey(message: string): RecognizedError {
  if (message.startsWith('update or delete')) return IN_USE
  return message.startsWith('insert or update') ? UNKNOWN_REFERENCE : CONFLICT
}
