import { type Fact, fact } from '../../internal/fact.ts'
export const placeholder: Fact = fact(1)
export type { Fact }
