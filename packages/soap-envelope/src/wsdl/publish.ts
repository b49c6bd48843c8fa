import { escapeAttribute } from '../../../internal/xml-escape.ts'
import { relativeTo } from '../schema/documents.ts'

/**
 * The documents of a contract, as clients get them. With a `version`, their links name it
 * (`?wsdl=version&xsd=name`): several contracts may then have the same URL.
 */
export interface Publication {
  /** Returns the WSDL with this URL as the address of the service and its documents. */
  wsdl(url: string, name?: undefined, version?: string): string
  /** Returns an imported WSDL by its name; `undefined` for any other name. */
  wsdl(url: string, name: string, version?: string): string | undefined
  /** Returns an imported schema by its name; `undefined` for any other name. */
  xsd(name: string, url: string, version?: string): string | undefined
  /** The names of the schemas. */
  readonly schemas: readonly string[]
}

type Texts = ReadonlyMap<string, string>

// These are documents of our own, and were parsed before: the patterns find what the parser has
// found.
const ADDRESS = /(<(?:[\w.-]+:)?address\s[^>]*?\blocation\s*=\s*)("[^"]*"|'[^']*')/g
const SCHEMA_LOCATION =
  /(<(?:[\w.-]+:)?(?:import|include|redefine)\s[^>]*?\bschemaLocation\s*=\s*)(?:"([^"]*)"|'([^']*)')/g
const WSDL_LOCATION = /(<(?:[\w.-]+:)?import\s[^>]*?\blocation\s*=\s*)(?:"([^"]*)"|'([^']*)')/g

/** Prepares the documents of a contract: the text between its URLs is kept as it was written. */
export function publish(wsdl: string, main: string, wsdls: Texts, schemas: Texts): Publication {
  const refer = (text: string, from: string, url: string, version?: string): string => {
    const base = version === undefined ? `${url}?` : `${url}?wsdl=${encodeURIComponent(version)}&`
    return text
      .replace(SCHEMA_LOCATION, (_, before: string, double?: string, single?: string) =>
        linkTo(before, relativeTo(from, readValue(double ?? single)), schemas, `${base}xsd=`),
      )
      .replace(WSDL_LOCATION, (_, before: string, double?: string, single?: string) =>
        linkTo(before, relativeTo(from, readValue(double ?? single)), wsdls, `${base}wsdl=`),
      )
      .replace(ADDRESS, (_, before: string) => `${before}"${escapeAttribute(url)}"`)
  }

  function published(url: string, name?: undefined, version?: string): string
  function published(url: string, name: string, version?: string): string | undefined
  function published(url: string, name?: string, version?: string): string | undefined {
    if (name === undefined) return refer(wsdl, main, url, version)
    const text = wsdls.get(name)
    return text === undefined ? undefined : refer(text, name, url, version)
  }
  return {
    wsdl: published,
    xsd: (name, url, version) => {
      const text = schemas.get(name)
      return text === undefined ? undefined : refer(text, name, url, version)
    },
    schemas: [...schemas.keys()],
  }
}

/** The value of an attribute, as the parser has read it: `?a=1&amp;b=2` is `?a=1&b=2`. */
function readValue(text = ''): string {
  return text.trim().replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (_, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES.get(name) ?? ''
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

function linkTo(before: string, name: string, texts: Texts, base: string): string {
  return `${before}"${escapeAttribute(texts.has(name) ? base + encodeURIComponent(name) : name)}"`
}
