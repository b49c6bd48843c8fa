import { isPromise } from '../../../internal/guard.ts'
import { chain, type MaybePromise } from '../../../internal/maybe-promise.ts'
import type { HeaderBlock } from '../envelope/header.ts'
import type { Envelope } from '../envelope/parse.ts'
import { senderFault } from '../fault.ts'
import type { Attachment } from '../mime/multipart.ts'
import { isSameName } from '../xml/names.ts'
import type { Processing } from './answer.ts'
import type { SoapServiceOptions } from './options.ts'
import type { AuthenticatedUser } from './request.ts'
import { type SecurityContext, type SecurityMechanism, securityFault } from './security.ts'
import type { Route } from './versions.ts'

/** Result of authenticating a message. */
export interface Authentication {
  readonly user: AuthenticatedUser | undefined
  /** Writes the response with the protection of its request. */
  readonly protect: SecurityMechanism['protect']
}

/** Authenticates and authorizes a message. The operation runs only when this returns. */
export function admit(
  route: Route,
  envelope: Envelope,
  attachments: readonly Attachment[],
  { request, setting: { options } }: Processing,
): MaybePromise<Authentication> {
  const { user, isSecure = false } = request
  const { headers } = envelope
  if (options.security === undefined || headers.length === 0)
    return permit({ user, protect: undefined }, route, options)
  const context = { envelope, isSecure, attachments, request }
  const authentication = authenticate(options.security, context, user)
  if (!isPromise(authentication)) return permit(authentication, route, options)
  return authentication.then((later) => permit(later, route, options))
}

/**
 * Authenticates a message by all its credentials: those of HTTP if there are any, and the header
 * block of a mechanism. All must be valid and name the same user. `user` is `undefined` if the
 * message has none.
 */
function authenticate(
  mechanisms: readonly SecurityMechanism[],
  context: SecurityContext,
  http: AuthenticatedUser | undefined,
): MaybePromise<Authentication> {
  const [block, ...more] = context.envelope.headers.filter(
    ({ element, targeted }) => targeted && mechanisms.some(({ header }) => isSameName(header, element)),
  )
  if (!block) return { user: http, protect: undefined }
  if (more.length > 0) throw securityFault('InvalidSecurity', 'The message carries more than one security header.')
  const mechanism = chooseMechanism(mechanisms, block)
  return chain(mechanism.authenticate(block, context), (user) => {
    if (http && http.name !== user.name)
      throw securityFault('InvalidSecurity', 'The credentials of the message name different users.')
    return { user, protect: mechanism.protect?.bind(mechanism) }
  })
}

/** A block is never ignored: one that no mechanism accepts goes to one that will reject it. */
function chooseMechanism(mechanisms: readonly SecurityMechanism[], block: HeaderBlock): SecurityMechanism {
  const candidates = mechanisms.filter(({ header }) => isSameName(header, block.element))
  const chosen =
    candidates.find((mechanism) => mechanism.accepts?.(block)) ??
    candidates.find((mechanism) => mechanism.accepts === undefined) ??
    candidates[0]
  if (!chosen) throw securityFault('InvalidSecurity', 'The message carries no credentials.')
  return chosen
}

function permit(
  authentication: Authentication,
  { isPublic, operation }: Route,
  { security, authorize }: SoapServiceOptions,
): MaybePromise<Authentication> {
  if (isPublic || (security === undefined && authorize === undefined)) return authentication
  const { user } = authentication
  if (!user) throw securityFault('InvalidSecurity', 'The message carries no credentials.')
  if (!authorize) return authentication
  const isPermitted = authorize(user, operation.name)
  if (isPermitted === true) return authentication
  return chain(isPermitted, (later) => {
    if (later) return authentication
    throw senderFault('NotPermitted', 'The user is not permitted to call the operation.', { status: 403 })
  })
}
