import { type HttpError, isHttpError } from '@svc/errors'
import type { Database } from '../../database/connection.ts'
import { idOf } from '../../database/values.ts'
import { requireOwn } from '../../engine/access.ts'
import type { CompiledCollection } from '../../engine/compiled-collection.ts'
import { optional } from '../../engine/modifiers.ts'
import { validate } from '../../engine/validate.ts'
import { insertItem } from '../../engine/write.ts'
import { invalid, problemsIn } from '../../messages/errors.ts'
import type { Caller } from '../../security/caller.ts'
import type { CustomerDirectory, SoapCustomer } from './operations.ts'

/** The customers of the resource API: the same rows, and the same rules for new ones. */
export function customerDirectory(
  shape: CompiledCollection,
  database: Database,
  beforeCommit: () => void,
): CustomerDirectory {
  const { fields } = shape.collection
  const phone = fields['phone']
  if (!phone) throw new TypeError('customers have no phone')
  const writable = { ...fields, phone: optional({ ...phone, writable: { create: true, update: true } }) }
  return {
    async find(id, by) {
      const key = idOf(String(id))
      const found = key === undefined ? undefined : await shape.repository.readItem(database, key)
      if (!found) return undefined
      requireOwn(shape.collection, found, by?.subject as Caller | undefined, 'read')
      const { name, email, phone } = found
      return { id, name: String(name), email: String(email), ...(typeof phone === 'string' && { phone }) }
    },
    async create({ id, ...customer }, by) {
      const values = checked(customer, writable)
      const now = new Date().toISOString()
      const key = idOf(String(id))
      const caller = by?.subject as Caller | undefined
      await database.transaction(async (tx) => {
        await insertItem(shape, { ...values, id: key }, { db: tx, caller, now })
        beforeCommit()
      })
    },
  }
}

// The message has the shape that its schema asks for: what is wrong beyond it is a matter of values.
function checked(
  customer: Omit<SoapCustomer, 'id'>,
  fields: CompiledCollection['collection']['fields'],
): Record<string, unknown> {
  try {
    return validate(customer, { fields, mode: 'create', lenient: false })
  } catch (error) {
    if (!isHttpError(error) || error.status !== 400) throw error
    throw invalid(422, 'VALIDATION_FAILED', problemsIn(error as HttpError))
  }
}
