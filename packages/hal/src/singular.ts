/**
 * Returns the singular of a plural: `employee` for `employees`, `category` for `categories`,
 * `address` for `addresses`. Returns `item` for any other word.
 */
export function toSingular(plural: string): string {
  if (/[^aeiou]ies$/i.test(plural)) return `${plural.slice(0, -3)}y`
  if (/(?:ss|tus|sh|ch|x)es$/i.test(plural)) return plural.slice(0, -2)
  if (/[^su]s$/i.test(plural) && plural.length > 2) return plural.slice(0, -1)
  return 'item'
}
