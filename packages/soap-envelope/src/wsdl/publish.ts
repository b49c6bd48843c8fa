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
// found. A value may contain `>`.
const VALUE = `"[^"]*"|'[^']*'`
const compileLocation = (elements: string, attribute: string): RegExp =>
  new RegExp(`(<(?:[\\w.-]+:)?(?:${elements})\\s(?:[^<>"']|${VALUE})*?(?<=\\s)${attribute}\\s*=\\s*)(${VALUE})`, 'g')
const ADDRESS = compileLocation('address', 'location')
const SCHEMA_LOCATION = compileLocation('import|include|redefine', 'schemaLocation')
const WSDL_LOCATION = compileLocation('import', 'location')
const ENCODING = /^(\ufeff?<\?xml\s[^>]*?\sencoding\s*=\s*)(?:"[^"]*"|'[^']*')/

/**
 * Prepares the documents of a contract: the text between its URLs is kept as it was written.
 *
 * @param addresses - those in the WSDL that are replaced: the others are of other services
 */
export function publish(
  wsdl: string,
  main: string,
  wsdls: Texts,
  schemas: Texts,
  addresses: ReadonlySet<string | undefined>,
): Publication {
  const refer = (text: string, from: string, url: string, version?: string): string => {
    const base = version === undefined ? `${url}?` : `${url}?wsdl=${encodeURIComponent(version)}&`
    return text
      .replace(ENCODING, '$1"UTF-8"') // in which it is sent, whatever it was read from
      .replace(SCHEMA_LOCATION, (_, before: string, quoted: string) =>
        linkTo(before, relativeTo(from, readValue(quoted)), schemas, `${base}xsd=`),
      )
      .replace(WSDL_LOCATION, (_, before: string, quoted: string) =>
        linkTo(before, relativeTo(from, readValue(quoted)), wsdls, `${base}wsdl=`),
      )
      .replace(ADDRESS, (text, before: string, quoted: string) =>
        addresses.has(readValue(quoted)) ? `${before}"${escapeAttribute(url)}"` : text,
      )
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

/** The value in quotes, as the parser has read it: `?a=1&amp;b=2` is `?a=1&b=2`. */
function readValue(quoted: string): string {
  const text = quoted.slice(1, -1).trim()
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (_, decimal, hex, name) => {
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
