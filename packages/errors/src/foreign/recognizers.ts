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
 * In order: the first that knows an error decides. Those that know more than the status come before
 * those that read it.
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
