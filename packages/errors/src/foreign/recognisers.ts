import type { Finding } from '../classify.ts'
import { fromStatus } from './status-carriers.ts'

/** Knows one family of errors by its shape, since `instanceof` fails across copies of a package. */
export type Recogniser = (error: object) => Finding | undefined

/** In order: the first that knows an error decides. */
export const recognisers: readonly Recogniser[] = [fromStatus]
