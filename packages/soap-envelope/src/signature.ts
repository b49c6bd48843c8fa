export type { ClientSecurity } from './client/options.ts'
export type { CertificateSource, TrustOptions } from './signature/certificates.ts'
export { type ClientSignatureOptions, clientSignature } from './signature/client-signature.ts'
export type { SigningOptions } from './signature/sign.ts'
export {
  type FindCertificateUser,
  type VerificationOptions,
  type X509SignatureOptions,
  x509Signature,
} from './signature/x509-signature.ts'
