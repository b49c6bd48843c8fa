import helmet from 'helmet'

// helmet writes these for documents. On JSON they have no effect (two are for Internet Explorer and Flash).
const DOCUMENT_HEADERS = [
  'Cross-Origin-Opener-Policy',
  'Origin-Agent-Cluster',
  'X-DNS-Prefetch-Control',
  'X-Download-Options',
  'X-Permitted-Cross-Domain-Policies',
]

/**
 * Returns the security headers of every response. They never change, so helmet runs once and its headers are sent with
 * the rest of the head: thirteen calls of `setHeader` per request cost more than the routing.
 */
export function securityHeaders(isHttps: boolean): Record<string, string> {
  return pick(runHelmet(isHttps), (name) => !DOCUMENT_HEADERS.includes(name))
}

/** The headers that only a page needs, in addition to those of every response. */
const PAGE_HEADERS: Readonly<Record<string, string>> = {
  ...pick(runHelmet(false), (name) => DOCUMENT_HEADERS.includes(name)),
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
}

function runHelmet(isHttps: boolean): Record<string, string> {
  const headers: Record<string, string> = {}
  const response = {
    setHeader: (name: string, value: string) => void (headers[name] = value),
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
  return headers
}

function pick(headers: Readonly<Record<string, string>>, isWanted: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isWanted(name)))
}

// A page loads what this server serves, and images that its script created. Nothing is inline.
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** The security headers of every page. */
export const pageSecurity: Readonly<Record<string, string>> = {
  ...PAGE_HEADERS,
  'Content-Security-Policy': PAGE_POLICY,
}
