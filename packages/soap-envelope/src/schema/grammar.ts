import type { XmlElement } from '../xml/element.ts'
import { XSD } from '../xml/names.ts'

/** Content of an element of the schema language: the attributes, and the elements. */
type Rule = readonly [attributes: string, children: string]

const OCCURRENCE = 'minOccurs maxOccurs'
const ATTRIBUTES = 'attribute attributeGroup anyAttribute'
const GROUPS = 'group all choice sequence'
const FACETS = [
  'length minLength maxLength pattern enumeration whiteSpace totalDigits fractionDigits',
  'minInclusive minExclusive maxInclusive maxExclusive',
].join(' ')

/**
 * The syntax of XSD 1.0 (part 1, appendix A), apart from the order of elements and `id`, which all
 * may have.
 */
const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  [
    'schema',
    [
      'targetNamespace version finalDefault blockDefault attributeFormDefault elementFormDefault',
      'include import redefine simpleType complexType element attribute attributeGroup group notation',
    ],
  ],
  ['include', ['schemaLocation', '']],
  ['redefine', ['schemaLocation', 'simpleType complexType group attributeGroup']],
  ['import', ['namespace schemaLocation', '']],
  ['notation', ['name public system', '']],
  [
    'element',
    [
      `name ref type substitutionGroup default fixed nillable abstract form block final ${OCCURRENCE}`,
      'simpleType complexType key unique keyref',
    ],
  ],
  ['attribute', ['name ref type use default fixed form', 'simpleType']],
  ['complexType', ['name mixed abstract block final', `simpleContent complexContent ${GROUPS} ${ATTRIBUTES}`]],
  ['simpleContent', ['', 'restriction extension']],
  ['complexContent', ['mixed', 'restriction extension']],
  ['extension', ['base', `${GROUPS} ${ATTRIBUTES}`]],
  ['restriction', ['base', `simpleType ${GROUPS} ${ATTRIBUTES} ${FACETS}`]],
  ['simpleType', ['name final', 'restriction list union']],
  ['list', ['itemType', 'simpleType']],
  ['union', ['memberTypes', 'simpleType']],
  ['group', [`name ref ${OCCURRENCE}`, 'all choice sequence']],
  ['all', [OCCURRENCE, 'element']],
  ['choice', [OCCURRENCE, 'element group choice sequence any']],
  ['sequence', [OCCURRENCE, 'element group choice sequence any']],
  ['any', [`namespace processContents ${OCCURRENCE}`, '']],
  ['anyAttribute', ['namespace processContents', '']],
  ['attributeGroup', ['name ref', ATTRIBUTES]],
  ['key', ['name', 'selector field']],
  ['unique', ['name', 'selector field']],
  ['keyref', ['name refer', 'selector field']],
  ['selector', ['xpath', '']],
  ['field', ['xpath', '']],
  ...FACETS.split(' ').map((facet): [string, Rule] => [facet, ['value fixed', '']]),
])

const BOOLEAN = /^(true|false|1|0)$/
const FORM = /^(qualified|unqualified)$/
const VALUES: ReadonlyMap<string, RegExp> = new Map([
  ['minOccurs', /^\d+$/],
  ['maxOccurs', /^(\d+|unbounded)$/],
  ['use', /^(optional|required|prohibited)$/],
  ['processContents', /^(strict|lax|skip)$/],
  ['form', FORM],
  ['elementFormDefault', FORM],
  ['attributeFormDefault', FORM],
  ['nillable', BOOLEAN],
  ['abstract', BOOLEAN],
  ['mixed', BOOLEAN],
])

/** Parts of XSD 1.1: named in the message, since the schema is valid elsewhere. */
const XSD11 = new Set(['assert', 'assertion', 'alternative', 'override', 'openContent', 'defaultOpenContent'])

/**
 * Checks the syntax of a schema: a misspelled facet or attribute must not be accepted and then
 * ignored. Attributes and annotations of other namespaces are ignored. Throws a TypeError that
 * names the document and the place.
 */
export function checkSyntax(node: XmlElement, document: string): void {
  const [attributes, children] = RULES.get(node.local) ?? ['', '']
  for (const { uri, local, value } of node.attributes) {
    if (uri !== '' || local === 'id') continue
    if (!attributes.split(' ').includes(local)) throw wrong(document, node, `has an unknown attribute ${local}`)
    const allowed = VALUES.get(local)
    if (allowed && !allowed.test(value.trim()))
      throw wrong(document, node, `has the invalid value "${value}" for ${local}`)
  }
  for (const child of node.children) {
    if (child.uri !== XSD || child.local === 'annotation') continue
    if (XSD11.has(child.local))
      throw wrong(document, node, `contains xs:${child.local}, which is XSD 1.1 and not supported`)
    if (!children.split(' ').includes(child.local)) throw wrong(document, node, `must not contain xs:${child.local}`)
    checkSyntax(child, document)
  }
}

function wrong(document: string, node: XmlElement, reason: string): TypeError {
  const names: string[] = []
  for (let ancestor: XmlElement | undefined = node; ancestor && ancestor.uri === XSD; ancestor = ancestor.parent) {
    const name = ancestor.attributes.find(({ uri, local }) => uri === '' && local === 'name')?.value
    if (name !== undefined) names.unshift(name)
  }
  const place = names.length === 0 ? '' : ` in ${names.join('/')}`
  return new TypeError(`soap-envelope: ${document || 'the schema'}: xs:${node.local}${place} ${reason}`)
}
