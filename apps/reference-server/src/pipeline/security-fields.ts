import helmet from 'helmet'

/**
 * The security fields of every answer. They never change, so helmet is asked once and its answer is sent with the rest
 * of the header section: thirteen calls of `setHeader` a request cost more than the routing.
 */
export function securityFields(isHttps: boolean): Record<string, string> {
  const fields: Record<string, string> = {}
  const response = {
    setHeader: (name: string, value: string) => void (fields[name] = value),
    removeHeader: () => {},
  }
  const middleware = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    strictTransportSecurity: isHttps ? { maxAge: 63_072_000, includeSubDomains: true } : false,
    xFrameOptions: { action: 'deny' },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    xXssProtection: false,
  })
  middleware({} as never, response as never, () => {})
  return { ...fields, 'Permissions-Policy': 'camera=(), geolocation=(), microphone=()' }
}
