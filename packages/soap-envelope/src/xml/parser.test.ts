import fc from 'fast-check'
import { SaxesParser, type XMLDecl } from 'saxes'
import { expect, test } from 'vitest'
import { DocumentParser } from './parser.ts'

/** The events of a document that arrives in chunks, up to its first error. */
function listEvents(chunks: readonly string[], isPlainSaxes: boolean): string[] {
  const events: string[] = []
  const expected = { name: '' }
  const handlers = {
    onAttribute: ({ name, value }: { name: string; value: string }) => void events.push(`@${name}=${value}`),
    onOpenTag({ name, isSelfClosing }: { name: string; isSelfClosing: boolean }) {
      expected.name = name
      events.push(`<${name} ${isSelfClosing}`)
    },
    onCloseTag: ({ name }: { name: string }) => void events.push(`/${name}`),
    onText: (text: string) => void events.push(`"${text}`),
    onDeclaration: ({ version, encoding, standalone }: XMLDecl) =>
      void events.push(`?${version} ${encoding} ${standalone}`),
    // Right about as often as wrong.
    expected,
  }
  const parser = isPlainSaxes ? createPlain(handlers) : new DocumentParser(handlers)
  try {
    for (const chunk of chunks) parser.write(chunk)
    parser.close()
  } catch (error) {
    events.push(`! ${(error as Error).message}`)
  }
  return events
}

type PlainHandlers = ConstructorParameters<typeof DocumentParser>[0]

function createPlain(handlers: PlainHandlers) {
  const parser = new SaxesParser({ xmlns: false, position: false, forceXMLVersion: true, defaultXMLVersion: '1.0' })
  parser.on('attribute', handlers.onAttribute)
  parser.on('opentag', handlers.onOpenTag)
  parser.on('closetag', handlers.onCloseTag)
  parser.on('text', handlers.onText)
  parser.on('cdata', handlers.onText)
  parser.on('xmldecl', handlers.onDeclaration)
  return parser
}

// Pieces that end a name, a text or a value early, in the middle, or not at all.
const name = fc.constantFrom('a', 'b', 'p:a', 'a-b.1_C', 'é', 'aé', '𠀀', '1', '', ':', 'a:b:c')
const text = fc.constantFrom(
  '',
  'text',
  'a\nb\tc',
  '\r',
  '\r\n',
  ']',
  ']]',
  ']]>',
  '>',
  '"',
  "'",
  '&',
  '&amp;',
  '&lt;&gt;',
  '&apos;',
  '&quot;',
  '&#65;',
  '&#x1F600;',
  '&#0;',
  '&no;',
  '&',
  '<',
  '</',
  '<!--c-->',
  '<![CDATA[<]]>',
  '<?pi?>',
  'é€',
  '😀',
  '\ud83d',
  '\u0000',
  '\u001f',
  '\u007f',
  '\u0085',
  '\u2028',
  '\ufffe',
  '\ufffd',
  '<!DOCTYPE a>',
)
const texts = fc.array(text, { maxLength: 4 }).map((parts) => parts.join(''))
const attribute = fc
  .tuple(fc.constantFrom(' ', '\n', ''), name, fc.constantFrom('=', ' = ', ''), fc.constantFrom('"', "'", ''), texts)
  .map(([space, key, equals, quote, value]) => `${space}${key}${equals}${quote}${value}${quote}`)
const attributes = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('', ' x="1"', ' x="a\tb" y=\'"\'') },
  fc.array(attribute, { maxLength: 2 }).map((parts) => parts.join('')),
)

function anyContent(depth: number): fc.Arbitrary<string> {
  const tag = fc.oneof({ weight: 5, arbitrary: fc.constantFrom('a', 'p:a', 'aé') }, name)
  const inner = depth === 0 ? texts : fc.array(anyContent(depth - 1), { maxLength: 3 }).map((parts) => parts.join(''))
  const element = fc
    .tuple(tag, attributes, inner, fc.constantFrom('', '', '', ' ', 'x', '/'))
    .map(([open, fields, content, more]) => `<${open}${fields}${more}>${content}</${open}${more === '/' ? '' : more}>`)
  return fc.oneof({ weight: 3, arbitrary: element }, texts)
}

const start = fc.constantFrom(
  '',
  ' ',
  '<?xml version="1.0"?>',
  '<?xml version="1.0" encoding="UTF-8"?>',
  `<?xml version='1.0' encoding='utf-8'?>\n`,
  '<?xml version="1.0" encoding="UTF-8"?>'.repeat(2),
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>',
)

const cuts = fc.array(fc.nat(200), { maxLength: 4 })

test('the same events and errors as saxes, however the document is cut', () => {
  let complete = 0
  fc.assert(
    fc.property(start, anyContent(2), cuts, (before, content, places) => {
      const xml = `${before}<r>${content}</r>`
      const ends = [...new Set([0, ...places.map((place) => place % xml.length), xml.length])].sort((a, b) => a - b)
      const chunks = ends.slice(1).map((end, index) => xml.slice(ends[index], end))
      const events = listEvents(chunks, false)
      if (!events.at(-1)?.startsWith('!')) complete++
      expect(events).toEqual(listEvents(chunks, true))
    }),
    { numRuns: 10_000 },
  )
  expect(complete).toBeGreaterThan(1000)
})

test.each([
  [`<?xml version="1.0" encoding='UTF-8'?>`, '<a/>'],
  ['<?xml version="1.0" encoding="UTF-8"?> ', ' <a/>'],
  ['<?xml version="1.0" encoding="UTF-8"?>x<a/>'],
  ['<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE a><a/>'],
  ['<?xml version="1.0" encoding="UTF-8"?><?xml version="1.0"?><a/>'],
  ['<?xml version="1.0" encoding="UTF-8"?><?pi?><a/>'],
  ['<?xml version="1.0" encoding="UTF-8"?>'],
  ['<?xml version="1.0" encoding="UTF-8', '"?><a/>'],
  ['<?xml version="1.1" encoding="UTF-8"?><a/>'],
  [`<?xml version="1.0' encoding="UTF-8"?><a/>`],
  [`<?xml version="1.0" encoding="UTF-8'?><a/>`],
  ['<?xml version="1.0" encoding="8-UTF"?><a/>'],
  ['<?xml version="1.0" encoding="é"?><a/>'],
  ['<?xml encoding="UTF-8" version="1.0"?><a/>'],
  [' <?xml version="1.0" encoding="UTF-8"?><a/>'],
  ['\ufeff<?xml version="1.0" encoding="UTF-8"?><a/>'],
  ['<a>]]', '></a>'],
  ['<a>]]', 'x></a>'],
  ['<a>]', ']></a>'],
  ['<a>x]]></a>'],
  ['<a>\ud83d', '\ude00</a>'],
  ['<a>\r', '\n</a>'],
  ['<a', 'b', '></a', 'b', '>'],
  ['<a></', 'a>'],
  ['<a></ab>'],
  ['<ab></a>'],
  ['<a/><b>'],
  ['</a>'],
])('cut at %j: the same as saxes', (...chunks) => {
  expect(listEvents(chunks, false)).toEqual(listEvents(chunks, true))
})
