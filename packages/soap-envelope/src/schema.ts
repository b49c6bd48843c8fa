export { type CompileSchemaOptions, compileSchema, type Schema } from './schema/compile.ts'
export { type Instant, parseDateTime } from './schema/date-time.ts'
