import { PAGE_HEADERS } from '../../security/headers.ts'

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
