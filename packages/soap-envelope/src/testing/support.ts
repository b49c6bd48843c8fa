import { parseContract } from '../wsdl/contract.ts'
import { CONTENTS } from './corpus/contents.ts'
import { PACKAGINGS } from './corpus/packagings.ts'
import { complex, element, facet, plain, restriction, type Shape, sequence } from './corpus/shapes.ts'

/** Something that a contract may have, and what becomes of it. */
export interface SupportRow {
  readonly state: 'supported' | 'rejected' | 'ignored'
  /** Name in the table of the docs. */
  readonly feature: string
  /** A contract that has it. */
  readonly shape: Shape
  /** Part of the message of the TypeError, or of the entry in `contract.ignored`. */
  readonly reason?: string
}

const packaging = (name: string): Shape => {
  const shape = PACKAGINGS.find((candidate) => candidate.name === name)
  if (!shape) throw new Error(`the corpus has no packaging "${name}"`)
  return shape
}

const content = (name: string): Shape => {
  const content = CONTENTS.find(([candidate]) => candidate === name)
  if (!content) throw new Error(`the corpus has no content "${name}"`)
  const [, ...rest] = content
  return plain(name, ...rest)
}

const changed = (name: string, from: string | RegExp, to: string): Shape => {
  const shape = packaging(name)
  const text = shape.documents[shape.main] ?? ''
  if (text.replace(from, to) === text) throw new Error(`"${name}" has no ${String(from)}`)
  return { ...shape, documents: { ...shape.documents, [shape.main]: text.replace(from, to) } }
}

const supported = (feature: string, shape: Shape): SupportRow => ({ state: 'supported', feature, shape })
const rejected = (feature: string, reason: string, shape: Shape): SupportRow => ({
  state: 'rejected',
  feature,
  reason,
  shape,
})
const ignored = (feature: string, reason: string, shape: Shape): SupportRow => ({
  state: 'ignored',
  feature,
  reason,
  shape,
})

/** The table of the docs. The test tries each row. */
export const SUPPORT: readonly SupportRow[] = [
  supported('document/literal', packaging('both versions on one port type')),
  supported('rpc/literal', packaging('PHP: rpc with simple parts')),
  supported('several WSDL and XSD files', packaging('JAX-WS: the abstract part is imported')),
  supported('circular imports', packaging('WSDLs that import each other')),
  supported('include, redefine', packaging('redefined types')),
  supported('header blocks (`soap:header`)', packaging('headers of request and response')),
  supported('declared faults', packaging('faults by name')),
  supported('several parts in the Body', packaging('a Body of two elements')),
  supported('one-way', packaging('one-way')),
  supported('choice of service and port', packaging('two services')),
  supported('patterns of XSD', content('a subtracted class')),
  supported('xs:any, anyAttribute', content('a wildcard of other namespaces')),
  supported('anyType, untyped elements', content('an untyped element')),
  supported('mixed content', content('mixed content')),
  supported('QName, NOTATION', content('a NOTATION')),
  supported('substitution groups', content('a substitution group')),
  supported('xsi:type, abstract, block, final', content('an abstract type')),
  supported('nillable, default, fixed', content('fixed and default elements')),
  supported('key, unique, keyref', content('a key and a reference')),
  supported('schemas of xml, xmldsig, wsa, SOAP built in', packaging('xml, xmldsig and wsa from the web')),
  rejected(
    'XSD 1.1 (`xs:assert` …)',
    'XSD 1.1',
    plain('assert', `${sequence(element('a', 'x:int'))}<x:assert test="1"/>`),
  ),
  rejected(
    'unknown facets and attributes of XSD',
    'must not contain xs:maxLenght',
    plain(
      'typo',
      '',
      restriction('x:string', facet('maxLenght', '1')).replace('<x:simpleType>', '<x:simpleType name="S">'),
    ),
  ),
  rejected(
    'document style with SOAP encoding',
    'SOAP encoding',
    changed('SOAP 1.1 only', 'use="literal"', 'use="encoded"'),
  ),
  rejected(
    'transports other than HTTP',
    'not HTTP',
    changed('SOAP 1.1 only', /transport="[^"]*"/, 'transport="urn:jms"'),
  ),
  rejected(
    'required WSDL extensions',
    'requires the extension',
    changed('SOAP 1.1 only', '<s:binding', '<e:x xmlns:e="urn:e" w:required="true"/><s:binding'),
  ),
  rejected(
    'a type derived from a final one',
    'final',
    plain(
      'final',
      '',
      complex('B', '', 'final="#all"') + complex('E', '<x:complexContent><x:extension base="t:B"/></x:complexContent>'),
    ),
  ),
  ignored(
    'HTTP GET and POST bindings',
    'is not a SOAP binding',
    packaging('ASMX: SOAP of both versions next to HTTP GET and POST'),
  ),
  ignored('ports of other services', 'is of another service', packaging('two services')),
  ignored('notifications, solicit-response', 'notification', packaging('a notification next to a request')),
  ignored(
    'SOAP encoding of rpc (read and written as literal)',
    'SOAP encoding',
    changed('PHP: rpc with simple parts', 'use="literal"', 'use="encoded"'),
  ),
]

/** Result of a contract: its notes, or the reason why it is rejected. */
export function outcomeOfShape({
  documents,
  main,
  options = {},
}: Shape): { ignored: readonly string[] } | { error: string } {
  try {
    const resolveImport = (name: string): string => documents[name] ?? ''
    return { ignored: parseContract(documents[main] ?? '', { name: main, resolveImport, ...options }).ignored }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return { error: error.message }
  }
}

/** The table as Markdown. */
export function supportTable(): string {
  const lines = (['supported', 'rejected', 'ignored'] as const).map((state) => {
    const features = SUPPORT.filter((row) => row.state === state).map(({ feature }) => feature)
    return `| ${state === 'rejected' ? 'rejected at start' : state === 'ignored' ? 'ignored, and named in `contract.ignored`' : state} | ${features.join(' · ')} |`
  })
  return ['| A contract with | |', '|---|---|', ...lines].join('\n')
}
