import type { Finding } from '../classify.ts'
import { fromBodyParser } from './body-parser.ts'
import { fromBoom } from './boom.ts'
import { fromFastifyValidation } from './fastify.ts'
import { fromInput } from './input.ts'
import { fromJose } from './jose.ts'
import { fromNetwork } from './network.ts'
import { fromPostgres } from './postgres.ts'
import { fromSchema } from './schema.ts'
import { fromSqlite } from './sqlite.ts'
import { fromStatus } from './status-carriers.ts'

/** Knows one family of errors by its shape, since `instanceof` fails across copies of a package. */
export type Recogniser = (error: object) => Finding | undefined

/**
 * In order: the first that knows an error decides. Those that know more than the status come before those that read it.
 */
export const recognisers: readonly Recogniser[] = [
  fromBodyParser,
  fromFastifyValidation,
  fromBoom,
  fromInput,
  fromStatus,
  fromSchema,
  fromJose,
  fromPostgres,
  fromSqlite,
  fromNetwork,
]
