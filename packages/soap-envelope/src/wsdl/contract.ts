import { compileSources, type Schema, type SchemaOptions } from '../schema/compile.ts'
import { loadSchemas } from '../schema/documents.ts'
import { findChildren, getAttribute } from '../xml/element.ts'
import { type SoapVersion, WSDL } from '../xml/names.ts'
import { type ContractService, checkRequired, hasAddressing, type PortOptions, selectPort } from './bindings.ts'
import { type Definitions, loadDefinitions, readName } from './definitions.ts'
import { type Operation, readOperations } from './operations.ts'
import { type Publication, publish } from './publish.ts'

/** A WSDL 1.1 document that was read and checked, with its schema compiled. */
export interface Contract extends Publication {
  /** Target namespace of the WSDL: it carries the version of the interface. */
  readonly targetNamespace: string
  /** Name of the `wsdl:service`; empty if the WSDL has none. */
  readonly service: string
  /** Name of the `wsdl:port`; empty if the WSDL has none. */
  readonly port: string
  /** Version of SOAP of the port. */
  readonly version: SoapVersion
  /** The address of the port in the WSDL. */
  readonly address: string | undefined
  /** Name of the `wsdl:portType`. */
  readonly portType: string
  /** The operations of the port type by name. */
  readonly operations: ReadonlyMap<string, Operation>
  /** The compiled schema of its messages. */
  readonly schema: Schema
  /** All services and ports of the WSDL. */
  readonly services: readonly ContractService[]
  /** Whether the binding has `UsingAddressing` (WS-Addressing 1.0). */
  readonly usesAddressing: boolean
  /** Parts of the WSDL that this contract omits, each with the reason, human-readable. */
  readonly ignored: readonly string[]
}

/** Options for `parseContract()`. */
export interface ContractOptions extends SchemaOptions, PortOptions {
  /**
   * Name of the WSDL itself: relative names of what it imports are resolved against it.
   * @defaultValue ''
   */
  name?: string
}

/**
 * Parses a WSDL 1.1 document: document and rpc style, literal use, bindings of SOAP 1.2 and 1.1.
 * Throws a TypeError if the document is wrong or not supported, so that a mistake shows at start
 * and not with the first request.
 */
export function parseContract(wsdl: string, options: ContractOptions = {}): Contract {
  checkText(wsdl)
  const { resolveImport, name = '' } = options
  const definitions = loadDefinitions(wsdl, resolveImport, name)
  const sources = loadSchemas(definitions.types, resolveImport, definitions.texts)
  const selection = selectPort(definitions, options)
  for (const { node } of selection.bindings) checkRequired(node)
  const schema = compileSources(sources, options.long, wrapperNamespaces(definitions))
  const operations = readOperations(selection, definitions, schema)
  if (operations.size === 0) throw new TypeError('soap-envelope: parseContract: the port type has no operation')
  const { service, port, address, portType, services, ignored } = selection
  return {
    targetNamespace: definitions.targetNamespace,
    service,
    port,
    version: selection.bindings[0].version,
    address,
    portType: readName(portType),
    operations,
    schema,
    services,
    usesAddressing: selection.bindings.some(({ node }) => hasAddressing(node)),
    ignored,
    ...publish(wsdl, name, definitions.texts, sources.texts),
  }
}

function checkText(wsdl: unknown): void {
  if (typeof wsdl !== 'string') throw new TypeError('soap-envelope: parseContract: the WSDL must be a text')
  if (!wsdl.includes('<') && /^[\w./\\:-]{1,200}$/.test(wsdl.trim()))
    throw new TypeError(
      `soap-envelope: parseContract: the WSDL must be a text, got what looks like a file name: pass readFileSync('${wsdl.trim()}', 'utf8')`,
    )
}

/** The namespaces of the elements around rpc messages: no schema declares them. */
function wrapperNamespaces({ bindings }: Definitions): string[] {
  return bindings
    .flatMap((binding) => findChildren(binding, WSDL, 'operation'))
    .flatMap(({ children }) => children.flatMap((message) => message.children))
    .map((body) => getAttribute(body, '', 'namespace')?.trim() ?? '')
    .filter(Boolean)
}
