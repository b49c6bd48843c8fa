import type { Recognizer } from '../classification.ts'
import { fromBodyParser } from './body-parser.ts'
import { fromBoom } from './boom.ts'
import { fromDatabase, fromDrizzle } from './database.ts'
import { fromFastifyValidation } from './fastify.ts'
import { fromInput } from './input.ts'
import { fromJoi } from './joi.ts'
import { fromJose } from './jose.ts'
import { fromJsonwebtoken } from './jsonwebtoken.ts'
import { fromMongo } from './mongo.ts'
import { fromMulter } from './multer.ts'
import { fromPrisma } from './prisma.ts'
import { fromSchema } from './schema.ts'
import { fromSequelize } from './sequelize.ts'
import { fromStatus } from './status-carriers.ts'
import { fromYup } from './yup.ts'

/**
 * The recognizers in order; the first match decides. Those of a library come before those that only
 * read a status.
 */
export const recognizers: readonly Recognizer[] = [
  fromBodyParser,
  fromFastifyValidation,
  fromBoom,
  fromInput,
  fromJsonwebtoken,
  fromStatus,
  fromSchema,
  fromJoi,
  fromYup,
  fromMulter,
  fromJose,
  fromMongo,
  fromSequelize,
  fromPrisma,
  fromDrizzle,
  fromDatabase,
]
