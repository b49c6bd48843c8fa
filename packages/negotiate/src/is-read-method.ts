/**
 * Whether a method reads a representation, so that it may get 304 (RFC 9110 §13.1.2, RFC 10008
 * §2.6).
 */
export function isReadMethod(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'QUERY'
}
