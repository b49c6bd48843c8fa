import { getAttribute } from '../xml/element.ts'
import type { Wildcard } from './model.ts'
import type { Source } from './source.ts'

/** The wildcard of `xs:anyType`: it lets everything in. */
export const ANYTHING: Wildcard = { allows: () => true, process: 'lax' }

/** Reads an `xs:any` or `xs:anyAttribute` (XSD part 1, 3.10.2). */
export function readWildcard({ node, document }: Source): Wildcard {
  const names = (getAttribute(node, '', 'namespace') ?? '##any').split(/\s+/).filter(Boolean)
  const process = (getAttribute(node, '', 'processContents') ?? 'strict').trim() as Wildcard['process']
  if (names.includes('##any')) return { allows: () => true, process }
  if (names.includes('##other')) return { allows: (uri) => uri !== document.namespace && uri !== '', process }
  const listed = new Set(
    names.map((name) => (name === '##targetNamespace' ? document.namespace : name === '##local' ? '' : name)),
  )
  return { allows: (uri) => listed.has(uri), process }
}
