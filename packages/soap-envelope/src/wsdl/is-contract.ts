/** Whether a value is a contract, from another copy of this package too. */
export function isContract(value: unknown): boolean {
  return Object(value).operations instanceof Map
}
