import { type Schema, type SchemaOptions, schemaOf } from '../schema/compile.ts'
import { loadSchemas } from '../schema/documents.ts'
import { clark } from '../xml/names.ts'
import { loadDefinitions } from './definitions.ts'
import { type Operation, readOperations } from './operations.ts'
import { type Publication, publish } from './publish.ts'

/** A WSDL 1.1 document that was read and checked, with its schema compiled. */
export interface Contract extends Publication {
  /** Target namespace of the WSDL: it carries the version of the interface. */
  readonly targetNamespace: string
  /** Name of the `wsdl:service`. */
  readonly service: string
  /** Name of the `wsdl:portType`. */
  readonly portType: string
  /** The operations by the name `{uri}local` of the element in the Body of their request. */
  readonly operations: ReadonlyMap<string, Operation>
  /** The compiled schema of its messages. */
  readonly schema: Schema
}

/** How the schema of a WSDL is read. */
export type ContractOptions = SchemaOptions

/**
 * Reads a WSDL 1.1 document: document style, literal use, bindings of SOAP 1.2 and 1.1. Throws a TypeError on what is
 * wrong or not supported, so that a mistake shows at start and not with the first request.
 */
export function parseContract(wsdl: string, options: ContractOptions = {}): Contract {
  const definitions = loadDefinitions(wsdl, options.resolveImport)
  const sources = loadSchemas(definitions.types, options.resolveImport)
  const schema = schemaOf(sources.documents, options.long)
  const operations = readOperations(definitions)
  for (const operation of operations) checkElements(operation, schema)
  const byElement = new Map(operations.map((operation) => [clark(operation.input), operation]))
  if (byElement.size !== operations.length)
    throw new TypeError(
      'soap-envelope: parseContract: two operations have the same element in the Body of their request',
    )
  return {
    targetNamespace: definitions.targetNamespace,
    service: definitions.service,
    portType: definitions.portType,
    operations: byElement,
    schema,
    ...publish(wsdl, definitions.texts, sources.texts),
  }
}

function checkElements({ name, input, output, faults }: Operation, schema: Schema): void {
  for (const element of [input, output, ...faults]) {
    if (element && !schema.has(element))
      throw new TypeError(
        `soap-envelope: parseContract: the operation ${name} refers to ${clark(element)}, which no schema declares`,
      )
  }
}
