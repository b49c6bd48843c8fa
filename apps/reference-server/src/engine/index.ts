// The door of the engine: what a domain is declared with. A domain imports nothing else.
export {
  type Changes,
  type Connection,
  type Database,
  forUpdate,
  type Id,
  insertRows,
  marks,
  parseId,
  quoted,
  type Stored,
  TOUCH,
  writeInsert,
} from '../database/connection.ts'
export { chain, type MaybePromise } from '../database/maybe-promise.ts'
export { createSchema, type Migration, type Schema } from '../database/open.ts'
export { readSetting, writeSetting } from '../database/settings.ts'
export {
  duplicate,
  failure,
  invalid,
  noun,
  problemsIn,
  rejectSyntax,
  rejectValue,
} from '../messages/errors.ts'
export { type Caller, createSubject, isConfined, requireScope } from '../security/caller.ts'
export { HASH_ALGORITHM, type HashAlgorithm, hashPassword } from '../security/password.ts'
export { ROLES } from '../security/scopes.ts'
export { requireItem, requireOwn } from './access.ts'
export { type ActionContext, type ActionResult, itemResult, NO_CONTENT, toItemState } from './action.ts'
export { type CompiledCollection, type CompiledCollections, getCollection } from './compiled-collection.ts'
export {
  type ChangeContext,
  type Collection,
  collection,
  type Document,
  type DocumentValue,
  document,
  type Item,
  type LinkContext,
} from './define.ts'
export { objectSchema } from './field.ts'
export * as field from './field-types.ts'
export { createForm } from './hal.ts'
export { keepItems } from './keep-items.ts'
export type { Money } from './money.ts'
export * as money from './money.ts'
export { applyPatch, PATCH_TYPES } from './patch.ts'
export { rejectParameters } from './query.ts'
export { BODY_TYPES, parseJson, readValue } from './read-body.ts'
export { selectFields, updateFields } from './repository.ts'
export { type ActionDefinition, type Payload, type Route, route } from './route.ts'
export { inPlace, inTransaction } from './transaction.ts'
export { requireObject, validate } from './validate.ts'
export type { ApiVersion, Body, IsTouched } from './versions.ts'
export { checkedPatch, insertItem, MINIMAL, updateItem } from './write.ts'
