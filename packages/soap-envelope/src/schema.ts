export { compileSchema, type Schema, type SchemaOptions } from './schema/compile.ts'
export { type Instant, parseDateTime } from './schema/date-time.ts'
