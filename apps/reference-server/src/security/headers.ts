/**
 * Returns the headers of every response: those of security, and those that allow scripts of other
 * origins to read it. `*` exposes every header because no response allows credentials (Fetch, CORS
 * protocol).
 */
export function responseHeaders(isHttps: boolean): Readonly<Record<string, string>> {
  return Object.freeze({
    'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Referrer-Policy': 'no-referrer',
    ...(isHttps && { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' }),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': '*',
  })
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

/** The security headers of every page, in addition to those of every response. */
export const pageSecurity: Readonly<Record<string, string>> = {
  'Content-Security-Policy': PAGE_POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Permitted-Cross-Domain-Policies': 'none',
}
