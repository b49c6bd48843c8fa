import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { measureCpuMs } from '../../../internal/testing/cpu-time.ts'
import { needTool, run } from '../../../internal/testing/programs.ts'
import type { XmlElement } from '../xml/element.ts'
import { DEFAULT_LIMITS } from '../xml/limits.ts'
import { treeReader } from '../xml/tree.ts'
import { canonicalize, parsePrefixList } from './canonicalize.ts'

function parse(xml: string): XmlElement {
  const reader = treeReader({ limits: DEFAULT_LIMITS })
  reader.write(xml)
  return reader.end()
}

/** The element with this local name. */
function find(element: XmlElement, local: string): XmlElement | undefined {
  if (element.local === local) return element
  for (const child of element.children) {
    const match = find(child, local)
    if (match) return match
  }
  return undefined
}

const form = (xml: string, local: string, prefixes = ''): string => {
  const element = find(parse(xml), local)
  return element ? canonicalize(element, parsePrefixList(prefixes)) : ''
}

describe('Exclusive XML Canonicalization 1.0', () => {
  const enveloped =
    '<n0:pdu xmlns:n0="http://a.example" xmlns:n1="http://b.example" xmlns:n2="http://c.example" xml:lang="fr" ' +
    'xml:space="retain"><n1:elem2 xmlns:n1="http://b.example" xml:lang="en"><n3:stuff xmlns:n3="ftp://example.org"/>' +
    '</n1:elem2></n0:pdu>'
  test.each([
    [
      'an element does not depend on what surrounds it (2.2)',
      enveloped,
      'elem2',
      '',
      '<n1:elem2 xmlns:n1="http://b.example" xml:lang="en"><n3:stuff xmlns:n3="ftp://example.org"></n3:stuff></n1:elem2>',
    ],
    [
      'attributes are sorted by namespace, then by name',
      '<a b:x="1" z="2" a:y="3" xmlns:b="urn:b" xmlns:a="urn:z" y="4"/>',
      'a',
      '',
      '<a xmlns:a="urn:z" xmlns:b="urn:b" y="4" z="2" b:x="1" a:y="3"></a>',
    ],
    [
      'names beyond the first plane come last',
      '<a xmlns:\u{10000}="urn:1" xmlns:\u{f900}="urn:2" \u{10000}:b="" \u{f900}:b=""/>',
      'a',
      '',
      '<a xmlns:\u{f900}="urn:2" xmlns:\u{10000}="urn:1" \u{10000}:b="" \u{f900}:b=""></a>',
    ],
    ['a prefix in a value only is left out', '<a xmlns:p="urn:p" t="p:x"/>', 'a', '', '<a t="p:x"></a>'],
    [
      'unless the list names it',
      '<a xmlns:p="urn:p" t="p:x"><b/></a>',
      'a',
      'p',
      '<a xmlns:p="urn:p" t="p:x"><b></b></a>',
    ],
    [
      'the list reaches out of the element',
      '<a xmlns:p="urn:p"><b><c xmlns:p="urn:q"/></b></a>',
      'b',
      'p',
      '<b xmlns:p="urn:p"><c xmlns:p="urn:q"></c></b>',
    ],
    [
      '#default is the default namespace',
      '<p:a xmlns:p="urn:p" xmlns="urn:d"/>',
      'a',
      '#default',
      '<p:a xmlns="urn:d" xmlns:p="urn:p"></p:a>',
    ],
    ['a listed prefix that is not bound is ignored', '<a/>', 'a', 'p #default', '<a></a>'],
    [
      'the default namespace ends where it is undeclared',
      '<a xmlns="urn:d"><b xmlns=""><c xmlns=""/></b></a>',
      'a',
      '',
      '<a xmlns="urn:d"><b xmlns=""><c></c></b></a>',
    ],
    ['nothing is undeclared that was not declared', '<a xmlns="urn:d"><b xmlns=""/></a>', 'b', '', '<b></b>'],
    [
      'a namespace is declared again after another one',
      '<p:a xmlns:p="u:1"><p:b xmlns:p="u:2"><p:c xmlns:p="u:1"/></p:b></p:a>',
      'a',
      '',
      '<p:a xmlns:p="u:1"><p:b xmlns:p="u:2"><p:c xmlns:p="u:1"></p:c></p:b></p:a>',
    ],
    [
      'siblings each declare',
      '<a xmlns:p="u:1"><p:b/><p:c/></a>',
      'a',
      '',
      '<a><p:b xmlns:p="u:1"></p:b><p:c xmlns:p="u:1"></p:c></a>',
    ],
    ['comments vanish and text stays whole', '<a>1<!-- x -->2<b/>3<!-- y --></a>', 'a', '', '<a>12<b></b>3</a>'],
    ['CDATA becomes text', '<a><![CDATA[<&>]]></a>', 'a', '', '<a>&lt;&amp;&gt;</a>'],
    ['text is escaped', '<a>&#13;&#9;&gt;"\r\n</a>', 'a', '', '<a>&#xD;\t&gt;"\n</a>'],
    [
      'values are escaped',
      '<a b="&#13;&#9;&#10;&gt;&quot;&amp;&lt;\t"/>',
      'a',
      '',
      '<a b="&#xD;&#x9;&#xA;>&quot;&amp;&lt; "></a>',
    ],
    [
      'the prefix xml is never declared',
      '<a xmlns:xml="http://www.w3.org/XML/1998/namespace" xml:id="b"/>',
      'a',
      'xml',
      '<a xml:id="b"></a>',
    ],
  ])('%s', (_, xml, local, prefixes, expected) => {
    expect(form(xml, local, prefixes)).toBe(expected)
  })

  test('the bytes of an attachment stand as Base64', () => {
    const element = { ...parse('<a/>'), bytes: new Uint8Array([0, 255]) }
    expect(canonicalize(element)).toBe('<a>AP8=</a>')
  })

  test('takes linear time for many declarations and prefixes', async () => {
    const declarations = Array.from({ length: 60 }, (_, index) => `xmlns:p${index}="urn:${index}"`).join(' ')
    const xml = `<a ${declarations}>${'<p1:b p2:c="" p3:d=""/>'.repeat(9000)}</a>`
    const element = parse(xml)
    const prefixes = Array.from({ length: 64 }, (_, index) => `p${index}`)
    expect(await measureCpuMs(() => canonicalize(element, prefixes))).toBeLessThan(3000)
  })
})

describe('xmllint', () => {
  const xmllint = needTool('xmllint', ['xmllint'], ['--version'])
  const folder = mkdtempSync(join(tmpdir(), 'svc-c14n-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  const prefix = fc.constantFrom('', 'a', 'b')
  const uri = fc.constantFrom('urn:1', 'urn:2')
  const value = fc.string({
    unit: fc.constantFrom('x', ' ', '&#13;', '&#10;', '&#9;', '&gt;', '&lt;', '&amp;', 'é', '\u{1f600}'),
  })
  const { node } = fc.letrec<{ node: string }>((tie) => ({
    node: fc
      .record({
        prefix,
        declared: fc.dictionary(fc.constantFrom('a', 'b', 'c'), uri, { noNullPrototype: true }),
        standard: fc.option(fc.constantFrom('', 'urn:1', 'urn:2'), { nil: undefined }),
        attribute: fc.option(fc.tuple(fc.constantFrom('x', 'c:x', 'xml:lang'), value), { nil: undefined }),
        content: fc.array(
          fc.oneof({ depthSize: 'small' }, value, fc.constant('<!--c-->'), fc.constant('<![CDATA[&]]>'), tie('node')),
          { maxLength: 4 },
        ),
      })
      .map(({ prefix, declared, standard, attribute, content }) => {
        const bindings = { a: 'urn:1', b: 'urn:2', c: 'urn:1', ...declared }
        const used = Object.entries(bindings).map(([name, bound]) => ` xmlns:${name}="${bound}"`)
        const name = prefix === '' ? 'e' : `${prefix}:e`
        const others =
          (standard === undefined ? '' : ` xmlns="${standard}"`) +
          (attribute ? ` ${attribute[0]}="${attribute[1]}"` : '')
        return `<${name}${used.join('')}${others}>${content.join('')}</${name}>`
      }),
  }))

  test('has the same canonical form of every document', async (context) => {
    if (!xmllint) return context.skip('xmllint is not installed')
    await fc.assert(
      fc.asyncProperty(node, async (xml) => {
        const name = join(folder, 'document.xml')
        writeFileSync(name, xml)
        // xmllint keeps comments.
        const expected = (await run(xmllint, ['--nonet', '--exc-c14n', name])).replaceAll('<!--c-->', '')
        expect(canonicalize(parse(xml))).toBe(expected)
      }),
      { numRuns: 60 },
    )
  })
})
