/** A parameter of a query as the client wrote it. */
export interface QueryParameter {
  value: string
  /** Name and value together: `api-version=2`. */
  text: string
}

/**
 * Finds every occurrence of a parameter in a query. The name is compared as written: an encoded
 * name is another one.
 */
export function findParameters(query: string, name: string): QueryParameter[] {
  const parameters: QueryParameter[] = []
  const start = `${name}=`
  if (!query.includes(name)) return parameters
  for (const text of query.split('&')) {
    if (text === name) parameters.push({ value: '', text })
    else if (text.startsWith(start)) parameters.push({ value: text.slice(start.length), text })
  }
  return parameters
}
