export { writeTypes } from './types/write-types.ts'
