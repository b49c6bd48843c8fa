import { getAttribute } from '../xml/element.ts'
import { clark, internName } from '../xml/names.ts'
import { findReference } from './components.ts'
import { readConstraints } from './identity.ts'
import { readExpectedType } from './media-type.ts'
import { type ElementDeclaration, isUntyped, NONE, type Type } from './model.ts'
import type { Source } from './source.ts'
import type { TypeTable } from './type-table.ts'

/** A declaration of an element, or the global one that a reference means. */
export function elementDeclaration(source: Source, table: TypeTable): ElementDeclaration {
  const reference = findReference(source, 'ref')
  if (reference) {
    const global = table.element(reference)
    if (!global) throw new TypeError(`soap-envelope: the schema has no element ${clark(reference)}`)
    return global
  }
  return declareElement(source, table, isQualified(source))
}

/**
 * Compiles a declaration. Its type follows when all types are known, since a type may contain
 * itself.
 */
export function declareElement(source: Source, table: TypeTable, qualified: boolean): ElementDeclaration {
  const { node, document } = source
  const local = internName(getAttribute(node, '', 'name')?.trim() ?? '')
  const uri = qualified ? internName(document.namespace) : ''
  const tag = table.tagOf({ uri, local })
  const declaration: Filled = {
    uri,
    local,
    tag,
    open: `<${tag}>`,
    close: `</${tag}>`,
    type: NOT_YET,
    isUntyped: false,
    nillable: isTrue(getAttribute(node, '', 'nillable')),
    abstract: isTrue(getAttribute(node, '', 'abstract')),
    fixed: getAttribute(node, '', 'fixed'),
    default: getAttribute(node, '', 'default'),
    block: readBlocked(source),
    constraints: [],
    mediaType: readExpectedType(source, table),
    isGlobal: node.parent === document.root,
  }
  table.later(() => {
    declaration.type = table.typeOf(source)
    declaration.isUntyped = isUntyped(declaration.type)
    declaration.constraints = readConstraints(source, declaration)
  })
  return declaration
}

/**
 * The derivations that `block` or the default of the document excludes from messages (XSD part 1,
 * 3.3.2).
 */
export function readBlocked({ node, document }: Source): ReadonlySet<string> {
  const text = getAttribute(node, '', 'block') ?? getAttribute(document.root, '', 'blockDefault') ?? ''
  if (text.trim() === '') return NONE
  return new Set(text.trim() === '#all' ? ['extension', 'restriction', 'substitution'] : text.trim().split(/\s+/))
}

type Filled = { -readonly [Key in keyof ElementDeclaration]: ElementDeclaration[Key] }

const NOT_YET: Type = {
  kind: 'complex',
  name: undefined,
  abstract: true,
  base: undefined,
  derivation: 'restriction',
  block: NONE,
  attributes: [],
  anyAttribute: undefined,
  content: { kind: 'empty' },
}

function isQualified({ node, document }: Source): boolean {
  const form = getAttribute(node, '', 'form') ?? getAttribute(document.root, '', 'elementFormDefault')
  return form?.trim() === 'qualified'
}

function isTrue(text: string | undefined): boolean {
  return text?.trim() === 'true' || text?.trim() === '1'
}
