// 400 to 428: what is refused before the work begins, or is right again after another look at the request.
const RELEASED = new Set([
  400, 401, 403, 404, 405, 406, 408, 411, 412, 413, 414, 415, 417, 421, 425, 426, 428, 429, 431, 503,
])

/**
 * Whether an answer with this status is kept by default. Kept: everything that says how the work ended, a failure of it
 * included. Not kept, so that a retry runs again: a refusal before the work (400, 401, 412 ...), and "not now" (429, 503).
 */
export function isKept(status: number): boolean {
  return !RELEASED.has(status)
}
