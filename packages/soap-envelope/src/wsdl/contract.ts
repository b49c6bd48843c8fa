import { assertOptions, type OptionRules } from '../assert-options.ts'
import { assertText } from '../schema/assert-text.ts'
import { type CompileSchemaOptions, compileSources, SCHEMA_OPTIONS, type Schema } from '../schema/compile.ts'
import { loadSchemas, type ResolveImport } from '../schema/documents.ts'
import { findChildren, getAttribute } from '../xml/element.ts'
import { type SoapVersion, WSDL } from '../xml/names.ts'
import { type ContractService, checkRequired, hasAddressing, type PortOptions, selectPort } from './bindings.ts'
import { type Definitions, loadDefinitions, readName } from './definitions.ts'
import { isContract } from './is-contract.ts'
import { type Operation, readOperations } from './operations.ts'
import { type Publication, publish } from './publish.ts'

/** A parsed and validated WSDL 1.1 document, with its compiled schema. */
export interface Contract extends Publication {
  /** Target namespace of the WSDL, which names the version of the API. */
  readonly targetNamespace: string
  /** Name of the `wsdl:service`; empty if the WSDL has none. */
  readonly service: string
  /** Name of the `wsdl:port`; empty if the WSDL has none. */
  readonly port: string
  /** SOAP version of the port. */
  readonly version: SoapVersion
  /** The address of the port in the WSDL. */
  readonly address: string | undefined
  /** Name of the `wsdl:portType`. */
  readonly portType: string
  /** The operations of the port type by name. */
  readonly operations: ReadonlyMap<string, Operation>
  /** The compiled schema of its messages. */
  readonly schema: Schema
  /** The services and ports of the WSDL. */
  readonly services: readonly ContractService[]
  /** Whether the binding has `UsingAddressing` (WS-Addressing 1.0). */
  readonly usesAddressing: boolean
  /**
   * Human-readable descriptions of the parts of the WSDL that are not supported, each with the
   * reason.
   */
  readonly ignored: readonly string[]
}

/** Options for `parseContract()`. */
export interface ParseContractOptions extends CompileSchemaOptions, PortOptions {
  /** Name of the WSDL, against which the names of its imports are resolved. @defaultValue '' */
  name?: string
}

const OPTIONS: OptionRules<ParseContractOptions> = {
  ...SCHEMA_OPTIONS,
  service: 'string',
  port: 'string',
  name: 'string',
}

/**
 * Parses a WSDL 1.1 document: document and rpc style, literal use, bindings of SOAP 1.2 and 1.1.
 * Throws a `TypeError` at startup if the document is invalid or not supported.
 */
export function parseContract(wsdl: string, options: ParseContractOptions = {}): Contract {
  assertWsdl('soap-envelope: parseContract', wsdl)
  assertOptions('soap-envelope: parseContract', options, OPTIONS)
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
    ...publish(wsdl, name, definitions.texts, sources.texts, selection.addresses),
  }
}

/** Returns the contract of an option that is a contract, or the text of a WSDL. */
export function readContract(owner: string, wsdl: string | Contract, resolveImport?: ResolveImport): Contract {
  if (typeof wsdl !== 'string' && isContract(wsdl)) return wsdl
  assertWsdl(owner, wsdl)
  return parseContract(wsdl, resolveImport && { resolveImport })
}

function assertWsdl(owner: string, wsdl: unknown): asserts wsdl is string {
  assertText(
    owner,
    'wsdl must be the text of a WSDL',
    wsdl,
    (url) => `await loadContract('${url}') of @svc/soap-envelope/client`,
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
