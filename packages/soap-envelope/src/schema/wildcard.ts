import { attributeOf } from '../xml/element.ts'
import type { Source } from './components.ts'
import type { Wildcard } from './model.ts'

/** Reads the namespaces of an `xs:any` or `xs:anyAttribute` (XSD part 1, 3.10.2). */
export function wildcardOf({ node, document }: Source): Wildcard {
  const names = (attributeOf(node, '', 'namespace') ?? '##any').split(/\s+/).filter(Boolean)
  if (names.includes('##any')) return { allows: () => true }
  if (names.includes('##other')) return { allows: (uri) => uri !== document.namespace && uri !== '' }
  const listed = new Set(
    names.map((name) => (name === '##targetNamespace' ? document.namespace : name === '##local' ? '' : name)),
  )
  return { allows: (uri) => listed.has(uri) }
}
