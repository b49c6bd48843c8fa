import { relativeTo } from '../schema/documents.ts'
import { escapeAttribute } from '../xml/escape.ts'

/** The documents of a contract as they are served. */
export interface Publication {
  /** The WSDL with this URL as the address of the service and of its schemas. */
  wsdl(url: string): string
  /** A schema by the name under which the WSDL or another schema refers to it; `undefined` for any other name. */
  xsd(name: string, url: string): string | undefined
  /** The names that `xsd` knows. */
  readonly schemas: readonly string[]
}

// These are documents of our own, and were parsed before: the patterns find what the parser has found.
const ADDRESS = /(<(?:[\w.-]+:)?address\s[^>]*?\blocation\s*=\s*)("[^"]*"|'[^']*')/g
const SCHEMA_LOCATION = /(<(?:[\w.-]+:)?(?:import|include)\s[^>]*?\bschemaLocation\s*=\s*)(?:"([^"]*)"|'([^']*)')/g

/** Prepares the documents of a contract: what is between the places where a URL stands is kept as it was written. */
export function publish(wsdl: string, schemas: ReadonlyMap<string, string>): Publication {
  const withSchemas = (text: string, from: string, url: string): string =>
    text.replace(SCHEMA_LOCATION, (_, before: string, double?: string, single?: string) => {
      const name = relativeTo(from, double ?? single ?? '')
      return `${before}"${schemas.has(name) ? escapeAttribute(`${url}?xsd=${encodeURIComponent(name)}`) : escapeAttribute(name)}"`
    })
  return {
    wsdl: (url) =>
      withSchemas(wsdl, '', url).replace(ADDRESS, (_, before: string) => `${before}"${escapeAttribute(url)}"`),
    xsd: (name, url) => {
      const text = schemas.get(name)
      return text === undefined ? undefined : withSchemas(text, name, url)
    },
    schemas: [...schemas.keys()],
  }
}
