import { inspectValue } from '../../../internal/options.ts'
import type { HeaderBlock } from '../envelope/header.ts'
import type { AuthenticatedUser } from '../service/request.ts'
import { type SecurityContext, type SecurityMechanism, securityFault } from '../service/security.ts'
import { findChildren } from '../xml/element.ts'
import { assertCredentialOptions, type CredentialOptions, checkPassword } from './credentials.ts'

/** Options for `authenticationHeader()`. */
export interface AuthenticationHeaderOptions extends CredentialOptions {
  /** Namespace of the element `Authentication` and its children: that of the service. */
  namespace: string
}

/**
 * Creates a mechanism for a header block `Authentication` with `Username` and `Password` in the
 * namespace of the service.
 */
export function authenticationHeader(options: AuthenticationHeaderOptions): SecurityMechanism {
  assertCredentialOptions('soap-envelope: authenticationHeader', options, { namespace: 'any' })
  const { namespace } = options
  if (typeof namespace !== 'string' || namespace === '')
    throw new TypeError(`soap-envelope: authenticationHeader: namespace must be a URI, got ${inspectValue(namespace)}`)
  return {
    header: { uri: namespace, local: 'Authentication' },
    authenticate: (block, context) => authenticateHeader(block, context, options),
  }
}

async function authenticateHeader(
  { element }: HeaderBlock,
  { isSecure, request }: SecurityContext,
  options: AuthenticationHeaderOptions,
): Promise<AuthenticatedUser> {
  if ((options.requireTls ?? true) && !isSecure)
    throw securityFault('InvalidSecurity', 'Credentials are accepted over HTTPS only.')
  const [username, ...moreNames] = findChildren(element, options.namespace, 'Username')
  const [password, ...morePasswords] = findChildren(element, options.namespace, 'Password')
  const extra = moreNames.length + morePasswords.length > 0 || element.children.length > 2
  if (!username || !password || extra || username.children.length > 0 || password.children.length > 0)
    throw securityFault('InvalidSecurityToken', 'The Authentication header needs one Username and one Password.')
  return await checkPassword(options, username.text, password.text, request)
}
