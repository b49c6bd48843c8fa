import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import type { XmlElement } from './element.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import { treeReader } from './tree.ts'

type Names = readonly string[]

/**
 * Names and attributes of the elements as our reader resolves them; `undefined` if it rejects the
 * document.
 */
function resolved(xml: string, reader = treeReader({ limits: DEFAULT_LIMITS })): Names | undefined {
  try {
    reader.write(xml)
    return list(reader.end())
  } catch {
    return undefined
  }
}

function list({ uri, local, prefix, attributes, declarations, children }: XmlElement): string[] {
  const all = [...attributes, ...declarations].map((item) => `${item.prefix}|{${item.uri}}${item.local}=${item.value}`)
  return [`${prefix}|{${uri}}${local} ${all.sort().join(' ')}`, ...children.flatMap(list)]
}

/** The same by the namespace support of saxes itself. */
function resolvedBySaxes(xml: string): Names | undefined {
  const parser = new SaxesParser({ xmlns: true, position: false })
  const names: string[] = []
  parser.on('opentag', ({ uri, local, prefix, attributes }) => {
    const all = Object.values(attributes).map((item) => `${item.prefix}|{${item.uri}}${item.local}=${item.value}`)
    names.push(`${prefix}|{${uri}}${local} ${all.sort().join(' ')}`)
  })
  try {
    parser.write(xml).close()
    return names
  } catch {
    return undefined
  }
}

const prefix = fc.constantFrom('', 'p:', 'q:', 'xml:', 'xmlns:', ':')
const name = fc.tuple(prefix, fc.constantFrom('a', 'b', 'a', 'b', 'xml', 'xmlns', 'a:b')).map((parts) => parts.join(''))
const uri = fc.constantFrom(
  'u',
  'v',
  '',
  'http://www.w3.org/XML/1998/namespace',
  'http://www.w3.org/2000/xmlns/',
  '__proto__',
)
const declaration = fc
  .tuple(fc.constantFrom('xmlns', 'xmlns:p', 'xmlns:q', 'xmlns:xml', 'xmlns:xmlns'), uri)
  .map(([key, value]) => ` ${key}="${value}"`)
const attribute = fc.oneof(
  { weight: 3, arbitrary: declaration },
  name.map((key) => ` ${key}="1"`),
)
function anyElement(depth: number): fc.Arbitrary<string> {
  const children = depth === 0 ? fc.constant([]) : fc.array(anyElement(depth - 1), { maxLength: 3 })
  const tag = fc.oneof({ weight: 5, arbitrary: fc.constantFrom('a', 'b', 'p:a', 'q:a') }, name)
  return fc
    .tuple(tag, fc.array(attribute, { maxLength: 3 }), children)
    .map(([open, attributes, inner]) => `<${open}${attributes.join('')}>${inner.join('')}</${open}>`)
}

test('resolves the names that saxes resolves, and rejects what it rejects (Namespaces in XML 1.0)', () => {
  let accepted = 0
  fc.assert(
    fc.property(anyElement(3), (inner) => {
      const xml = `<r xmlns:p="u" xmlns:q="v">${inner}</r>`
      const names = resolved(xml)
      if (names) accepted++
      expect(names).toEqual(resolvedBySaxes(xml))
    }),
    { numRuns: 3000 },
  )
  expect(accepted).toBeGreaterThan(300)
})

test('resolves the same in a document after others, whatever they declared', () => {
  fc.assert(
    fc.property(fc.array(anyElement(2), { minLength: 2, maxLength: 4 }), fc.array(uri), (inners, uris) => {
      let reader = treeReader({ limits: DEFAULT_LIMITS })
      for (const [index, inner] of inners.entries()) {
        const xml = `<r xmlns:p="u" xmlns:q="${uris[index] || 'v'}">${inner}</r>`
        const names = resolved(xml, reader)
        expect(names).toEqual(resolvedBySaxes(xml))
        if (!names) reader = treeReader({ limits: DEFAULT_LIMITS })
      }
    }),
    { numRuns: 1000 },
  )
})

const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

test.each(['names', 'declarations'])('documents with ever new %s do not fill the memory', (kind) => {
  const reader = treeReader({ limits: DEFAULT_LIMITS })
  const read = (number: number): void => {
    const long = 'x'.repeat(kind === 'names' ? 200 : 8000)
    const [local, space] = kind === 'names' ? [`${long}${number}`, 'u'] : [`a${number}`, `${long}${number}`]
    reader.write(`<p:${local} xmlns:p="${space}"/>`)
    reader.end()
  }
  read(0)
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  const count = kind === 'names' ? 10_000 : 1000
  for (let number = 1; number <= count; number++) read(number)
  collectGarbage()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(2_000_000)
})

test('one document with ever new names does not fill the memory, and ends as it began', () => {
  const reader = treeReader({
    limits: { ...DEFAULT_LIMITS, maxElements: 1_000_000 },
    onClose: ({ parent }) => {
      if (parent?.local === 'rows') Object.assign(parent, { children: [] })
    },
  })
  reader.write('<r><p:rows xmlns:p="u">')
  const read = (number: number): void =>
    reader.write(`<q:row xmlns:q="v"><q:a${number}><p:a${number}/></q:a${number}></q:row>`)
  read(0)
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  for (let number = 1; number <= 50_000; number++) read(number)
  collectGarbage()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(2_000_000)
  reader.write('<p:last/></p:rows><rows/></r>')
  expect(list(reader.end())).toEqual(['|{}r ', 'p|{u}rows xmlns|{http://www.w3.org/2000/xmlns/}p=u', '|{}rows '])
})

test('resolves every name of a document with more of them than are stored', () => {
  const names = Array.from({ length: 5000 }, (_, at) => `<p:a${at % 3000} xmlns="u${at % 2}"><b/></p:a${at % 3000}>`)
  const xml = `<r xmlns:p="u">${names.join('<c/>')}</r>`
  expect(resolved(xml)).toEqual(resolvedBySaxes(xml))
})

test('resolves names again after a scope has ended', () => {
  const item = (space: string): string => `<a xmlns="${space}"><b/></a><b/>`
  const xml = `<r xmlns="r">${item('u')}${item('v')}${item('u')}</r>`
  expect(resolved(xml)).toEqual(resolvedBySaxes(xml))
})

test('a scope with the same declarations ends with its own element', () => {
  const xml = '<r xmlns="r"><a xmlns="u"/><b><a xmlns="u"/><c/></b></r>'
  expect(resolved(xml)).toEqual(resolvedBySaxes(xml))
})

test('a name below 60 scopes is resolved in linear time', () => {
  const depth = 60
  const open = Array.from({ length: depth }, (_, at) => `<a xmlns:n${at}="u">`).join('')
  const leaves = '<b xmlns:z="z"/>'.repeat(9_000)
  const start = process.cpuUsage()
  expect(resolved(`${open}${leaves}${'</a>'.repeat(depth)}`)).toHaveLength(depth + 9_000)
  expect(process.cpuUsage(start).user).toBeLessThan(1_000_000)
})
