import { isLocalOrigin } from './origin.ts'

/** The issuer of tokens: what discovery shows, what `iss` says and what is accepted are the same. */
export interface Issuer {
  /** The issuer for a request that came to this origin. */
  at(origin: string): string
  /** Whether `iss` is an issuer that some process of this service may have written. */
  accepts(issuer: string): boolean
}

/** Settings that name the issuer. */
export interface IssuerSettings {
  /** SVC_JWT_ISSUER. */
  jwtIssuer: string | undefined
  /** SVC_PUBLIC_URL, or an empty string. */
  publicUrl: string
}

/**
 * Creates the issuer: SVC_JWT_ISSUER, else the public URL. With neither of them each client finds the service under an
 * origin that it asked for, and RFC 8414 §3.3 requires that origin as the issuer.
 */
export function createIssuer({ jwtIssuer, publicUrl }: IssuerSettings): Issuer {
  const configured = jwtIssuer ?? (publicUrl || undefined)
  if (configured === undefined) return { at: (origin) => origin, accepts: isLocalOrigin }
  return { at: () => configured, accepts: (issuer) => issuer === configured }
}
