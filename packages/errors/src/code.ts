/** Whether a string is a name in UPPER_SNAKE case of at most 64 characters. */
export function isCode(text: string): boolean {
  return /^[A-Z][A-Z0-9_]{0,63}$/.test(text)
}
