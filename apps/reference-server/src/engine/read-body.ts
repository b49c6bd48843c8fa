import { toXml } from '@svc/hal/xml'
import { SaxesParser } from 'saxes'
import { failure, invalid } from '../messages/errors.ts'
import { message, quoteInput } from '../messages/messages.ts'
import { nearHint } from '../messages/near-name.ts'
import type { ActionContext } from './action.ts'
import type { Fields, JsonSchema } from './field.ts'
import { findSyntaxProblem, nameAt, placeAt } from './json-syntax.ts'
import { pointerTo } from './validate.ts'

/** Documents of HAL clients: what they send back is JSON with links, which are ignored. */
export const HAL_TYPES = ['application/hal+json', 'application/prs.hal-forms+json'] as const

/** Media types of request bodies. `text/xml` is the same as `application/xml` (RFC 7303 §9.2). */
export const BODY_TYPES = ['application/json', ...HAL_TYPES, 'application/xml', 'text/xml'] as const

const MAX_DEPTH = 32

/** The body of a request as a value. XML has no types of its own: those of the fields are used. */
export function readValue({ body, bodyType }: ActionContext, fields: Fields, root: string): unknown {
  if (body.length === 0) throw failure('MISSING_BODY')
  return bodyType.endsWith('xml') ? readXml(body, fields, root) : parseJson(body)
}

/**
 * Reads JSON as a service should: UTF-8 without BOM, no name twice in an object, at most 32 levels.
 * `JSON.parse` keeps the last of two equal names, so that a proxy which keeps the first would have
 * checked another document.
 */
export function parseJson(body: Buffer): unknown {
  let text: string
  let value: unknown
  try {
    text = decoder.decode(body)
  } catch {
    throw failure('MALFORMED_BODY.utf8')
  }
  try {
    value = JSON.parse(text)
  } catch {
    const { offset, expected } = findSyntaxProblem(text) ?? { offset: 0, expected: 'json.value' }
    const params = { ...placeAt(text, offset), expected: message(expected), found: nameAt(text, offset) }
    throw failure('MALFORMED_BODY.json', params)
  }
  checkStrictness(text)
  return value
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const COMMA = 0x2c

// Runs behind JSON.parse, so the text is known to be JSON: names are the strings that follow `{`
// and, in an object, `,`.
function checkStrictness(text: string): void {
  const names: (Set<string> | undefined)[] = []
  let isName = false
  for (let position = 0; position < text.length; position++) {
    const char = text.charCodeAt(position)
    if (char === QUOTE) {
      let end = position + 1
      while (text.charCodeAt(end) !== QUOTE) end += text.charCodeAt(end) === BACKSLASH ? 2 : 1
      const objectNames = names.at(-1)
      if (isName && objectNames) {
        const written = text.slice(position + 1, end)
        const name = written.includes('\\') ? String(JSON.parse(`"${written}"`)) : written
        if (objectNames.has(name))
          throw failure('MALFORMED_BODY.twice', { name: JSON.stringify(quoteInput(name)), ...placeAt(text, position) })
        objectNames.add(name)
        isName = false
      }
      position = end
    } else if (char === OPEN_OBJECT || char === OPEN_ARRAY) {
      isName = char === OPEN_OBJECT
      names.push(isName ? new Set() : undefined)
      if (names.length > MAX_DEPTH)
        throw failure('MALFORMED_BODY.depthAt', { max: MAX_DEPTH, ...placeAt(text, position) })
    } else if (char === CLOSE_OBJECT || char === CLOSE_ARRAY) {
      names.pop()
      isName = false
    } else if (char === COMMA) {
      isName = names.at(-1) !== undefined
    }
  }
}

const MAX_ELEMENTS = 10_000

interface Element {
  name: string
  text: string
  children: Element[]
}

/** Parses an XML document into the value that JSON would have, with the types of the fields. */
function readXml(body: Buffer, fields: Fields, root: string): unknown {
  const document = parse(body)
  if (document.name !== root) throw failure('MALFORMED_BODY.root', { root, found: quoteInput(document.name) })
  return toObject(document, (child) => {
    const field = Object.hasOwn(fields, child.name) ? fields[child.name] : undefined
    return field ? toValue(child, field.json, field.fromText) : plain(child)
  })
}

function parse(body: Buffer): Element {
  const parser = new SaxesParser({ xmlns: true })
  const top: Element = { name: '', text: '', children: [] }
  const open = [top]
  let count = 0
  parser.on('doctype', () => {
    throw failure('MALFORMED_BODY.doctype')
  })
  parser.on('opentag', ({ local }) => {
    if (open.length > MAX_DEPTH) throw failure('MALFORMED_BODY.depth', { max: MAX_DEPTH })
    if (++count > MAX_ELEMENTS) throw failure('MALFORMED_BODY.elements', { max: MAX_ELEMENTS })
    const element: Element = { name: local, text: '', children: [] }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => void open.pop())
  parser.on('text', (text) => addText(open, text))
  parser.on('cdata', (text) => addText(open, text))
  parser.on('error', () => {
    throw failure('MALFORMED_BODY.xml', { line: parser.line, column: parser.column + 1 })
  })
  try {
    parser.write(new TextDecoder('utf-8', { fatal: true }).decode(body)).close()
  } catch (error) {
    throw error instanceof TypeError ? failure('MALFORMED_BODY.utf8') : error
  }
  const [root] = top.children
  if (!root) throw failure('MALFORMED_BODY.emptyXml')
  return root
}

function addText(open: readonly Element[], text: string): void {
  const element = open.at(-1)
  if (element) element.text += text
}

// Text next to the elements makes it a string, which no object and no list is.
function toObject({ text, children }: Element, toMember: (child: Element) => unknown): unknown {
  if (text.trim() !== '') return text
  const value: Record<string, unknown> = Object.create(null)
  for (const child of children) {
    if (Object.hasOwn(value, child.name)) throw failure('MALFORMED_BODY.element', { name: quoteInput(child.name) })
    value[child.name] = toMember(child)
  }
  return value
}

function toValue(
  element: Element,
  { type, items = {}, properties = {} }: JsonSchema,
  fromText: (text: string) => unknown,
): unknown {
  if (type === 'array') return toList(element, (child) => toValue(child, items, keepText))
  if (type === 'object') return toObject(element, (child) => toValue(child, properties[child.name] ?? {}, keepText))
  if (element.children.length > 0) return plain(element)
  return fromText === keepText ? typed(element.text.trim(), type) : fromText(element.text.trim())
}

function toList({ name, text, children }: Element, toItem: (child: Element) => unknown): unknown {
  if (text.trim() !== '') return text
  const item = nameItems(name)
  return children.map((child) => {
    if (child.name === item) return toItem(child)
    const pointer = pointerTo(name) + pointerTo(child.name)
    throw invalid(400, 'VALIDATION_FAILED', [{ pointer, key: 'UNKNOWN.field', hint: nearHint(child.name, [item]) }])
  })
}

/** Returns the name that the items of a list have in responses: `item` in `items`. */
function nameItems(list: string): string {
  return /<\/([^>]+)>/.exec(toXml([''], { root: list }))?.[1] ?? ''
}

function keepText(text: string): unknown {
  return text
}

function typed(text: string, type: unknown): unknown {
  const isNumber = (type === 'integer' || type === 'number') && /^-?\d{1,15}(?:\.\d{1,9})?$/.test(text)
  return isNumber ? Number(text) : type === 'boolean' && /^(?:true|false)$/.test(text) ? text === 'true' : text
}

function plain({ text, children }: Element): unknown {
  return children.length === 0 ? text : Object.fromEntries(children.map((child) => [child.name, plain(child)]))
}
