import { BINDINGS } from './bindings.ts'
import { COMPLEX_TYPES } from './complex-types.ts'
import { DECLARATIONS } from './declarations.ts'
import { DOCUMENTS } from './documents.ts'
import { HEADERS_AND_FAULTS } from './headers-and-faults.ts'
import { OPEN_CONTENT } from './open-content.ts'
import { RPC } from './rpc.ts'
import { SEQUENCES_AND_CHOICES } from './sequences-and-choices.ts'
import { type Content, plain, type Shape } from './shapes.ts'
import { SIMPLE_TYPES } from './simple-types.ts'

/** The contents of messages that contracts have, each once. */
export const CONTENTS: readonly Content[] = [
  ...SEQUENCES_AND_CHOICES,
  ...SIMPLE_TYPES,
  ...COMPLEX_TYPES,
  ...OPEN_CONTENT,
  ...DECLARATIONS,
]

/** The ways in which contracts are put together. */
export const PACKAGINGS: readonly Shape[] = [...BINDINGS, ...DOCUMENTS, ...HEADERS_AND_FAULTS, ...RPC]

/** Returns a contract by its name; one that is only a content gets a plain WSDL. */
export function findContract(name: string): Shape {
  const content = CONTENTS.find(([candidate]) => candidate === name)
  const shape = content ? plain(...content) : PACKAGINGS.find((candidate) => candidate.name === name)
  if (!shape) throw new Error(`the corpus has no contract "${name}"`)
  return shape
}
