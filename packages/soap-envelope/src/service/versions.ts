import { assertType, inspectValue } from '../../../internal/options.ts'
import type { ListCodec } from '../schema/list-codec.ts'
import type { FaultRecord } from '../to-fault.ts'
import { type Contract, readContract } from '../wsdl/contract.ts'
import type { Operation } from '../wsdl/operations.ts'
import { clark, type QName } from '../xml/names.ts'
import type { OperationHandler, ServiceVersion, SoapServiceOptions } from './options.ts'

/** A version of the interface, ready to be served. */
export interface Version {
  readonly name: string
  /**
   * Name of the version in the links of its documents. Those of the first need none, since a name
   * without a version is looked up there first.
   */
  readonly linkName: string | undefined
  readonly contract: Contract
  /** XML of a ServiceFault with the record; `undefined` if the contract has no such element. */
  readonly detail: (record: FaultRecord) => string | undefined
}

/** An operation with its handler, and what the options say of it. */
export interface Route {
  readonly operation: Operation
  readonly handler: OperationHandler
  readonly version: Version
  /** Whether WS-Addressing is used: the option says so, or the binding of the contract. */
  readonly usesAddressing: boolean
  /** Whether it needs no credentials. */
  readonly isPublic: boolean
  /** The list at the end of its output, whose items may be streamed. */
  readonly outputList: ListCodec | undefined
}

export interface Table {
  readonly versions: readonly [Version, ...Version[]]
  /**
   * The operations by the element in the Body of their request; those without one have the key
   * `''`.
   */
  readonly routes: ReadonlyMap<string, readonly Route[]>
  /**
   * The same by the local name and the namespace, which need no key for each message. An empty Body
   * has the name `NO_ELEMENT`.
   */
  readonly byLocal: ReadonlyMap<string, ReadonlyMap<string, readonly Route[]>>
  /** Elements in the Body of a request at most. */
  readonly maxBodyElements: number
}

/**
 * Joins contracts and handlers. Throws a TypeError if one lacks the other, or two operations cannot
 * be distinguished.
 */
export function createTable(sources: readonly ServiceVersion[], options: SoapServiceOptions): Table {
  const { resolveImport, publicOperations = [] } = options
  const routes = new Map<string, Route[]>()
  const versions = sources.map(({ wsdl, operations, name: givenName }, index) => {
    const contract = readContract('soap-envelope: soapService', wsdl, resolveImport)
    const last = contract.targetNamespace.split('/').filter(Boolean).at(-1) ?? ''
    const name = givenName ?? last
    const linkName = index === 0 ? undefined : name
    const version: Version = { name, linkName, contract, detail: createDetail(contract) }
    checkHandlers(contract, operations)
    for (const operation of contract.operations.values()) {
      const handler = operations[operation.name]
      if (!handler) continue
      const { addressing: usesAddressing = contract.usesAddressing } = options
      const isPublic = publicOperations.includes(operation.name)
      const outputList = operation.output?.parts.length === 1 ? operation.output.parts[0]?.list() : undefined
      addRoute({ operation, handler, version, usesAddressing, isPublic, outputList }, routes)
    }
    return version
  })
  const [first, ...rest] = versions
  if (!first) throw new TypeError('soap-envelope: soapService: versions must not be empty')
  checkNames(versions)
  const counts = [...routes.values()].flat().map(({ operation }) => operation.input.parts.length)
  return {
    versions: [first, ...rest],
    routes,
    byLocal: indexRoutes([...routes.values()].flat()),
    maxBodyElements: Math.max(1, ...counts),
  }
}

/** A version is asked for by its name: `?wsdl=<name>`. */
function checkNames(versions: readonly Version[]): void {
  const same = versions.find(({ name }, index) => versions.findIndex((other) => other.name === name) !== index)
  if (same)
    throw new TypeError(
      `soap-envelope: soapService: versions: two have the name ${inspectValue(same.name)}: set name on each`,
    )
}

function indexRoutes(routes: readonly Route[]): Table['byLocal'] {
  const byLocal = new Map<string, Map<string, Route[]>>()
  for (const route of routes) {
    const { uri, local } = route.operation.input.element ?? NO_ELEMENT
    const byUri = byLocal.get(local) ?? new Map<string, Route[]>()
    byLocal.set(local, byUri.set(uri, [...(byUri.get(uri) ?? []), route]))
  }
  return byLocal
}

/** The name of what an empty Body holds. */
export const NO_ELEMENT: QName = { uri: '', local: '' }

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
  assertType('soap-envelope: soapService', 'operations', operations, 'object')
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
function createDetail({ schema, targetNamespace }: Contract): Version['detail'] {
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
