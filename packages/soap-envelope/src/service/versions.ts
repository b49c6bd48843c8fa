import { inspectValue } from '../../../internal/options.ts'
import type { ResolveImport } from '../schema/documents.ts'
import type { FaultRecord } from '../to-fault.ts'
import { type Contract, parseContract } from '../wsdl/contract.ts'
import type { Operation } from '../wsdl/operations.ts'
import { clark, type QName } from '../xml/names.ts'
import type { OperationHandler, ServiceVersion } from './options.ts'

/** A version of the interface, ready to be served. */
export interface Version {
  readonly name: string
  readonly contract: Contract
  /** XML of a ServiceFault with the record; `undefined` if the contract has no such element. */
  readonly detail: (record: FaultRecord) => string | undefined
}

/** An operation with its handler. */
export interface Route {
  readonly operation: Operation
  readonly handler: OperationHandler
  readonly version: Version
}

export interface Table {
  readonly versions: readonly [Version, ...Version[]]
  /**
   * The operations by the element in the Body of their request; those without one have the key
   * `''`.
   */
  readonly routes: ReadonlyMap<string, readonly Route[]>
  /** Elements in the Body of a request at most. */
  readonly maxBodyElements: number
}

/**
 * Joins contracts and handlers. Throws a TypeError if one lacks the other, or two operations cannot
 * be distinguished.
 */
export function tableOf(given: readonly ServiceVersion[], resolveImport: ResolveImport | undefined): Table {
  const routes = new Map<string, Route[]>()
  const versions = given.map(({ wsdl, operations, name }) => {
    const contract = typeof wsdl === 'string' ? parseContract(wsdl, resolveImport ? { resolveImport } : {}) : wsdl
    const last = contract.targetNamespace.split('/').filter(Boolean).at(-1) ?? ''
    const version = { name: name ?? last, contract, detail: detailOf(contract) }
    checkHandlers(contract, operations)
    for (const operation of contract.operations.values()) {
      const handler = operations[operation.name]
      if (handler) addRoute({ operation, handler, version }, routes)
    }
    return version
  })
  const [first, ...rest] = versions
  if (!first) throw new TypeError('soap-envelope: soapService: versions must not be empty')
  const counts = [...routes.values()].flat().map(({ operation }) => operation.input.parts.length)
  return { versions: [first, ...rest], routes, maxBodyElements: Math.max(1, ...counts) }
}

/** Operations may share the element in the Body if their actions differ. */
function addRoute(route: Route, routes: Map<string, Route[]>): void {
  const { element } = route.operation.input
  const key = element ? clark(element) : ''
  const same = routes.get(key) ?? []
  for (const other of same) {
    const shared = [...route.operation.actions].find((action) => other.operation.actions.has(action))
    if (shared !== undefined)
      throw new TypeError(
        `soap-envelope: soapService: two operations have ${key || 'an empty Body'} and the action "${shared}": ${other.operation.name} and ${route.operation.name}`,
      )
  }
  same.push(route)
  routes.set(key, same)
}

function checkHandlers(contract: Contract, operations: ServiceVersion['operations']): void {
  for (const name of contract.operations.keys()) {
    const handler = Object.hasOwn(operations, name) ? operations[name] : undefined
    if (typeof handler !== 'function')
      throw new TypeError(
        `soap-envelope: soapService: the operation ${name} of ${contract.portType} needs a handler, got ${inspectValue(handler)}`,
      )
  }
  for (const name of Object.keys(operations)) {
    if (contract.operations.has(name)) continue
    const reason = contract.ignored.find((text) => text.startsWith(`the operation ${name} `))
    throw new TypeError(`soap-envelope: soapService: ${reason ?? `${contract.portType} has no operation "${name}"`}`)
  }
}

/**
 * The contract declares the detail of its faults: an element ServiceFault that takes the Error
 * record.
 */
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
