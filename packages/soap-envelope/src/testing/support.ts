import { parseContract } from '../wsdl/contract.ts'
import { findContract } from './corpus/contracts.ts'
import { complex, element, facet, plain, restriction, type Shape, sequence } from './corpus/shapes.ts'

/** Something that a contract may have, and what becomes of it. */
export interface SupportRow {
  readonly state: 'supported' | 'rejected' | 'ignored'
  /** Name in the table of the docs. */
  readonly feature: string
  /** Contracts that have it, one for each thing that it names. */
  readonly shapes: readonly Shape[]
  /** Part of the message of the TypeError, or of the entry in `contract.ignored`. */
  readonly reason?: string
}

const changed = (name: string, from: string | RegExp, to: string): Shape => {
  const shape = findContract(name)
  const text = shape.documents[shape.main] ?? ''
  if (text.replace(from, to) === text) throw new Error(`"${name}" has no ${String(from)}`)
  return { ...shape, documents: { ...shape.documents, [shape.main]: text.replace(from, to) } }
}

const supported = (feature: string, ...names: readonly string[]): SupportRow => ({
  state: 'supported',
  feature,
  shapes: names.map(findContract),
})
const rejected = (feature: string, reason: string, ...shapes: readonly Shape[]): SupportRow => ({
  state: 'rejected',
  feature,
  reason,
  shapes,
})
const ignored = (feature: string, reason: string, ...shapes: readonly Shape[]): SupportRow => ({
  state: 'ignored',
  feature,
  reason,
  shapes,
})

/** The table of the docs. The test tries each row. */
export const SUPPORT: readonly SupportRow[] = [
  supported('document/literal', 'both versions on one port type'),
  supported('rpc/literal', 'PHP: rpc with simple parts', 'rpc in SOAP 1.2'),
  supported(
    'several WSDL and XSD files',
    'JAX-WS: the abstract part is imported',
    'government: directories above and below',
  ),
  supported('circular imports', 'WSDLs that import each other', 'namespaces that import each other'),
  supported('include, redefine', 'one included file', 'redefined types', 'a redefined group'),
  supported('header blocks (`soap:header`)', 'headers of request and response', 'rpc with a header'),
  supported('declared faults', 'faults by name', 'faults of an imported schema'),
  supported('several parts in the Body', 'a Body of two elements'),
  supported('one-way', 'one-way'),
  supported('choice of service and port', 'two services', 'a port by name'),
  supported('patterns of XSD', 'a subtracted class', 'letters of all scripts', 'a block', 'names by escapes'),
  supported('xs:any, anyAttribute', 'a wildcard of other namespaces', 'attributes of other namespaces'),
  supported('anyType, untyped elements', 'anyType', 'an untyped element'),
  supported('mixed content', 'mixed content', 'a mixed base'),
  supported('QName, NOTATION', 'every simple type', 'a NOTATION'),
  supported('substitution groups', 'a substitution group', 'one substitute'),
  supported(
    'xsi:type, abstract, block, final',
    'a type for the base by xsi:type',
    'an abstract type',
    'a blocked type',
  ),
  supported(
    'nillable, default, fixed',
    'optional and nillable elements',
    'fixed and default elements',
    'attributes with defaults',
  ),
  supported('key, unique, keyref', 'keys and references'),
  supported(
    'schemas of xml, xmldsig, wsa, SOAP built in',
    'xml, xmldsig and wsa from the web',
    'elements of SOAP itself',
  ),
  rejected(
    'XSD 1.1 (`xs:assert` …)',
    'XSD 1.1',
    plain('assert', `${sequence(element('a', 'x:int'))}<x:assert test="1"/>`),
  ),
  rejected(
    'unknown facets of XSD',
    'must not contain xs:maxLenght',
    plain(
      'typo',
      '',
      restriction('x:string', facet('maxLenght', '1')).replace('<x:simpleType>', '<x:simpleType name="S">'),
    ),
  ),
  rejected(
    'unknown attributes of XSD',
    'unknown attribute minOcurs',
    plain('typo in an attribute', sequence(element('a', 'x:int', 'minOcurs="0"'))),
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
    findContract('ASMX: SOAP of both versions next to HTTP GET and POST'),
  ),
  ignored('ports of other services', 'is of another service', findContract('two services')),
  ignored(
    'notifications, solicit-response',
    'notification',
    findContract('a notification next to a request'),
    changed(
      'a notification next to a request',
      '<w:operation name="changed"><w:output message="t:Response"/>',
      '<w:operation name="changed"><w:output message="t:Response"/><w:input message="t:Request"/>',
    ),
  ),
  ignored(
    'SOAP encoding of rpc (read and written as literal, arrays as `any`)',
    'SOAP encoding',
    changed('PHP: rpc with simple parts', 'use="literal"', 'use="encoded"'),
  ),
]

/** Result of a contract: its notes, or the reason why it is rejected. */
export function loadShape({
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
