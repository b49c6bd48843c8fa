import type { Versioning } from '@svc/versioning'
import type { Middleware } from '../../../../packages/internal/middleware.ts'
import { exchangeOf } from '../exchange.ts'

/** Adds what is to be said about the version to the fields that every answer carries. */
export function announceVersion(versions: Versioning): Middleware {
  const known = new WeakMap<object, Readonly<Record<string, string>>>()
  return (req, _res, next) => {
    const fields = versions.fieldsOf(req)
    let announced = known.get(fields)
    if (!announced) {
      announced = Object.fromEntries(fields)
      known.set(fields, announced)
    }
    Object.assign(exchangeOf(req).fields, announced)
    next()
  }
}
