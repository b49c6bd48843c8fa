import { inspectValue } from '../../../internal/options.ts'
import type { ResolveImport } from '../schema/documents.ts'
import type { FaultRecord } from '../to-fault.ts'
import { type Contract, parseContract } from '../wsdl/contract.ts'
import type { Operation } from '../wsdl/operations.ts'
import type { QName } from '../xml/names.ts'
import type { OperationHandler, ServiceVersion } from './options.ts'

/** A version of the interface, ready to be served. */
export interface Version {
  readonly name: string
  readonly contract: Contract
  /** XML of a ServiceFault with the record; `undefined` where the contract has no such element. */
  readonly detail: (record: FaultRecord) => string | undefined
}

/** An operation with its handler, found by the element in the Body. */
export interface Route {
  readonly operation: Operation
  readonly handler: OperationHandler
  readonly version: Version
}

export interface Table {
  readonly versions: readonly [Version, ...Version[]]
  readonly routes: ReadonlyMap<string, Route>
}

/** Joins contracts and handlers. Throws a TypeError where one has not the other, or two answer to one element. */
export function tableOf(given: readonly ServiceVersion[], resolveImport: ResolveImport | undefined): Table {
  const routes = new Map<string, Route>()
  const versions = given.map(({ wsdl, operations, name }) => {
    const contract = typeof wsdl === 'string' ? parseContract(wsdl, resolveImport ? { resolveImport } : {}) : wsdl
    const last = contract.targetNamespace.split('/').filter(Boolean).at(-1) ?? ''
    const version = { name: name ?? last, contract, detail: detailOf(contract) }
    checkHandlers(contract, operations)
    for (const [element, operation] of contract.operations) {
      if (routes.has(element)) throw new TypeError(`soap-envelope: soapService: two versions answer to ${element}`)
      const handler = operations[operation.name]
      if (handler) routes.set(element, { operation, handler, version })
    }
    return version
  })
  const [first, ...rest] = versions
  if (!first) throw new TypeError('soap-envelope: soapService: versions must not be empty')
  return { versions: [first, ...rest], routes }
}

function checkHandlers(contract: Contract, operations: ServiceVersion['operations']): void {
  const declared = [...contract.operations.values()].map(({ name }) => name)
  for (const name of declared) {
    const handler = Object.hasOwn(operations, name) ? operations[name] : undefined
    if (typeof handler !== 'function')
      throw new TypeError(
        `soap-envelope: soapService: the operation ${name} of ${contract.portType} needs a handler, got ${inspectValue(handler)}`,
      )
  }
  for (const name of Object.keys(operations)) {
    if (!declared.includes(name))
      throw new TypeError(`soap-envelope: soapService: ${contract.portType} has no operation "${name}"`)
  }
}

/** The contract declares the detail of its faults: an element ServiceFault that takes the Error record. */
function detailOf({ schema, targetNamespace }: Contract): Version['detail'] {
  const name: QName = { uri: targetNamespace, local: 'ServiceFault' }
  const encode = (record: FaultRecord): string | undefined => {
    try {
      return schema.encode(name, record)
    } catch {
      return undefined // another element of the same name
    }
  }
  return schema.has(name) ? encode : () => undefined
}
