import { isPromise } from '../../../internal/guard.ts'
import { chain, type MaybePromise } from '../../../internal/maybe-promise.ts'
import type { Envelope } from '../envelope/parse.ts'
import { senderFault } from '../fault.ts'
import type { Attachment } from '../mime/multipart.ts'
import type { Processing } from './answer.ts'
import type { SoapServiceOptions } from './options.ts'
import { type Authentication, authenticate, securityFault } from './security.ts'
import type { Route } from './versions.ts'

/** Authenticates and authorizes a message. The operation runs only when this returns. */
export function admit(
  route: Route,
  envelope: Envelope,
  attachments: readonly Attachment[],
  { request, setting: { options } }: Processing,
): MaybePromise<Authentication> {
  const { security, authorize } = options
  const { user, isSecure = false } = request
  if (security === undefined) {
    const authentication = { user, protect: undefined }
    return authorize ? permit(authentication, route, options) : authentication
  }
  const authentication = authenticate(security, { envelope, isSecure, attachments, request }, user)
  if (!isPromise(authentication)) return permit(authentication, route, options)
  return authentication.then((later) => permit(later, route, options))
}

function permit(
  authentication: Authentication,
  { isPublic, operation }: Route,
  { authorize }: SoapServiceOptions,
): MaybePromise<Authentication> {
  const { user } = authentication
  if (isPublic) return authentication
  if (!user) throw securityFault('InvalidSecurity', 'The message carries no credentials.')
  if (!authorize) return authentication
  return chain(authorize(user, operation.name), (isPermitted) => {
    if (isPermitted) return authentication
    throw senderFault('NotPermitted', 'The user is not permitted to call the operation.', { status: 403 })
  })
}
