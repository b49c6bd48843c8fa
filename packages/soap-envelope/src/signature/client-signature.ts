import { assertOptions } from '../assert-options.ts'
import type { ClientSecurity } from '../client/options.ts'
import { securityFault } from '../service/security.ts'
import { isSameName, WSSE } from '../xml/names.ts'
import { messageSigner, type SigningOptions } from './sign.ts'
import { verifyMessage } from './verify.ts'
import { readRules, VERIFICATION_OPTIONS, type VerificationOptions } from './x509-signature.ts'

/** Options for `clientSignature()`. */
export interface ClientSignatureOptions {
  /** Signs the requests. */
  sign: SigningOptions
  /** Requires and verifies the signatures of responses. @defaultValue responses are not verified */
  verify?: VerificationOptions
}

const SECURITY = { uri: WSSE, local: 'Security' }

/**
 * Creates the option `security` of a client: signs requests and, with `verify`, requires signed
 * responses.
 */
export function clientSignature(options: ClientSignatureOptions): ClientSecurity {
  const owner = 'soap-envelope: clientSignature'
  assertOptions(owner, options, { sign: 'any', verify: 'any' })
  const protect = messageSigner(`${owner}: sign`, options.sign)
  if (options.verify === undefined) return { header: SECURITY, protect }
  assertOptions(`${owner}: verify`, options.verify, VERIFICATION_OPTIONS)
  const rules = readRules(`${owner}: verify`, options.verify, false)
  return {
    header: SECURITY,
    protect,
    verify: async (envelope, attachments) => {
      const blocks = envelope.headers.filter(({ element, targeted }) => targeted && isSameName(element, SECURITY))
      const [block] = blocks
      if (!block || blocks.length > 1) throw securityFault('InvalidSecurity', 'The response is not signed.')
      if (attachments.length > 0)
        throw securityFault('InvalidSecurity', 'Attachments that the message does not include are not signed.')
      await verifyMessage(block.element, envelope, rules)
    },
  }
}
