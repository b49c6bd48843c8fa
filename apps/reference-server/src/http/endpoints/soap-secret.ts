import { TOUCH } from '../../database/connection.ts'
import { requireItem } from '../../engine/access.ts'
import { type ActionContext, type ActionResult, NO_CONTENT, toItemState } from '../../engine/action.ts'
import { type CompiledCollections, getCollection } from '../../engine/compiled-collection.ts'
import { objectSchema } from '../../engine/field.ts'
import * as field from '../../engine/field-types.ts'
import { rejectParameters } from '../../engine/query.ts'
import { BODY_TYPES, readValue } from '../../engine/read-body.ts'
import { type Payload, type Route, route } from '../../engine/route.ts'
import { inTransaction } from '../../engine/transaction.ts'
import { validate } from '../../engine/validate.ts'
import type { SoapSecrets } from '../soap/credentials.ts'

const fields = {
  secret: field.text({ min: 12, max: 128 }).describe('Password that digests of WS-Security are made of.'),
}

const takes: Payload = {
  name: 'NewSoapSecret',
  schema: objectSchema(fields),
  example: { secret: 'correct horse battery staple' },
}

const gives: Payload = {
  name: 'SoapSecret',
  schema: objectSchema({
    userId: field.reference().describe('User whose secret it is.'),
    status: field.choice('SET', 'NONE').describe('Whether there is a secret.'),
  }),
  example: { userId: 1, status: 'NONE' },
  links: { self: '/users/1/soap-secret', user: '/users/1' },
}

/**
 * /users/{id}/soap-secret: a second password for SOAP, used for the digests of WS-Security. PUT
 * sets it, DELETE removes it, GET returns whether it is set. No response contains it.
 */
export function soapSecretRoute(shapes: CompiledCollections, secrets: SoapSecrets): Route {
  const users = getCollection(shapes, 'users')
  const show = async (call: ActionContext): Promise<ActionResult> => {
    rejectParameters(call.search, call.prefer.lenient)
    const user = await requireItem(users, call.params['id'] ?? '', call)
    const { id, soapSecret } = user
    const value = { userId: id, status: typeof soapSecret === 'string' ? 'SET' : 'NONE' }
    const links = { self: `/users/${id}/soap-secret`, user: `/users/${id}` }
    return {
      status: 200,
      cache: 'never',
      ...toItemState(user),
      content: { kind: 'record', name: 'soap-secret', value, links },
    }
  }
  const change = (call: ActionContext, sealedFor: (subject: string) => string | null): Promise<ActionResult> =>
    inTransaction(call, async (work) => {
      const user = await requireItem(users, call.params['id'] ?? '', work, true)
      const { id, subject } = user
      call.requireCurrent(toItemState(user))
      const sql = `update "users" set "soapSecret" = ?, ${TOUCH} where "id" = ?`
      await work.db.run(sql, [sealedFor(String(subject)), call.now, Number(id)])
      return NO_CONTENT
    })
  const put = (call: ActionContext): Promise<ActionResult> => {
    const { lenient } = call.prefer
    const { secret } = validate(readValue(call, fields, 'soap-secret'), { fields, mode: 'update', lenient })
    return change(call, (subject) => secrets.seal(subject, String(secret)))
  }
  const common = {
    tag: 'users',
    gives,
    kind: 'record',
    record: 'soap-secret',
  } as const
  return route('/users/{id}/soap-secret', {
    GET: {
      ...common,
      operationId: 'getSoapSecret',
      summary: 'Get the state of the SOAP secret of a user',
      description: 'Returns whether the user has a secret for SOAP. The secret itself is never returned.',
      scope: 'users:read',
      run: show,
    },
    PUT: {
      ...common,
      operationId: 'setSoapSecret',
      summary: 'Set the SOAP secret of a user',
      description: 'Sets the secret that the user authenticates with over SOAP, by password digests of WS-Security.',
      takes,
      scope: 'users:write',
      accepts: BODY_TYPES,
      success: 204,
      run: put,
    },
    DELETE: {
      ...common,
      operationId: 'deleteSoapSecret',
      summary: 'Delete the SOAP secret of a user',
      description: 'Removes the secret. The user can no longer authenticate over SOAP by digest.',
      scope: 'users:write',
      run: (call) => change(call, () => null),
    },
  })
}
