import { findChildren, getAttribute, type XmlElement } from '../xml/element.ts'
import { clark, type SoapVersion, WSDL, WSDL_SOAP11, WSDL_SOAP12 } from '../xml/names.ts'
import { type Definitions, readName, readQualifiedName, referred } from './definitions.ts'

/** Selects a port of a WSDL. */
export interface PortOptions {
  /** Name of the `wsdl:service`. @defaultValue the first that has a SOAP port */
  service?: string
  /** Name of the `wsdl:port`. @defaultValue the first SOAP port of the service */
  port?: string
}

/** A port of a service in the WSDL. */
export interface ContractPort {
  /** Name of the `wsdl:port`. */
  readonly name: string
  /** SOAP version of its binding; `undefined` if the binding is not SOAP over HTTP. */
  readonly version: SoapVersion | undefined
  /** The address in the WSDL. */
  readonly address: string | undefined
}

/** A service of a WSDL. */
export interface ContractService {
  /** Name of the `wsdl:service`. */
  readonly name: string
  /** Its ports, in the order of the WSDL. */
  readonly ports: readonly ContractPort[]
}

/** A SOAP binding that the contract uses. */
export interface SoapBinding {
  readonly node: XmlElement
  readonly version: SoapVersion
  readonly style: string
}

/** The port that was chosen, and what belongs to it. */
export interface Selection {
  readonly service: string
  readonly port: string
  readonly address: string | undefined
  /** The addresses of all ports whose bindings are used. */
  readonly addresses: ReadonlySet<string | undefined>
  readonly portType: XmlElement
  /**
   * The binding of the port, then those that other ports of the service have for the same port
   * type.
   */
  readonly bindings: readonly [SoapBinding, ...SoapBinding[]]
  readonly services: readonly ContractService[]
  /** The other ports and operations of the WSDL, each with the reason why it is not used. */
  readonly ignored: string[]
}

const TRANSPORTS = new Set([
  'http://schemas.xmlsoap.org/soap/http',
  'http://www.w3.org/2003/05/soap/bindings/HTTP/',
  // WSDL 1.1 has an attribute that must be there; tools read a binding without it as HTTP.
  '',
])

interface Port extends ContractPort {
  readonly service: string
  /** The binding that it refers to; a string says why it cannot be used. */
  readonly binding: SoapBinding | string
}

/**
 * Chooses a port. Throws a TypeError if the WSDL has no such port, or none that is SOAP over HTTP.
 */
export function selectPort(definitions: Definitions, { service, port }: PortOptions): Selection {
  const ports = definitions.services.flatMap((node) => findPorts(node, definitions))
  const services = definitions.services.map((node) => {
    const name = readName(node)
    return {
      name,
      ports: ports
        .filter((candidate) => candidate.service === name)
        .map(({ name, version, address }) => ({ name, version, address })),
    }
  })
  const wanted = ports.filter(
    (candidate) => (service ?? candidate.service) === candidate.service && (port ?? candidate.name) === candidate.name,
  )
  if ((service !== undefined || port !== undefined) && wanted.length === 0)
    throw new TypeError(
      `soap-envelope: parseContract: the WSDL has no port "${port ?? 'any'}" of a service "${service ?? 'any'}"; it has ${listed(ports)}`,
    )
  const chosen = wanted.find(({ binding }) => typeof binding !== 'string')
  if (chosen && typeof chosen.binding !== 'string')
    return buildSelection(chosen, chosen.binding, ports, services, definitions)
  const [first] = wanted
  if (first)
    throw new TypeError(
      `soap-envelope: parseContract: the port ${first.name} of ${first.service} ${String(first.binding)}`,
    )
  return withoutService(definitions)
}

function listed(ports: readonly Port[]): string {
  return ports.map(({ service, name }) => `${service}/${name}`).join(', ') || 'none'
}

function buildSelection(
  chosen: Port,
  binding: SoapBinding,
  ports: readonly Port[],
  services: readonly ContractService[],
  definitions: Definitions,
): Selection {
  const portType = referred(binding.node, 'type', 'portType', definitions)
  const ignored: string[] = []
  const others: SoapBinding[] = []
  const addresses = new Set([chosen.address])
  for (const other of ports) {
    if (other === chosen) continue
    const name = `the port ${other.name} of ${other.service}`
    if (typeof other.binding === 'string') ignored.push(`${name} ${other.binding}`)
    else if (referred(other.binding.node, 'type', 'portType', definitions) !== portType)
      ignored.push(`${name} has another port type: choose it with \`port\``)
    else if (other.service !== chosen.service) ignored.push(`${name} is of another service: choose it with \`service\``)
    else {
      addresses.add(other.address)
      if (!others.some(({ node }) => node === (other.binding as SoapBinding).node)) others.push(other.binding)
    }
  }
  const { service, name, address } = chosen
  return { service, port: name, address, addresses, portType, bindings: [binding, ...others], services, ignored }
}

/**
 * A WSDL may describe a binding and leave the service to another document: it can be used all the
 * same.
 */
function withoutService(definitions: Definitions): Selection {
  const bindings = definitions.bindings.map(readBinding)
  const binding = bindings.find((candidate) => typeof candidate !== 'string')
  if (!binding || typeof binding === 'string') {
    const reason = bindings.length === 0 ? 'has no wsdl:binding' : `has no usable binding: it ${String(bindings[0])}`
    throw new TypeError(`soap-envelope: parseContract: the WSDL ${reason}`)
  }
  const portType = referred(binding.node, 'type', 'portType', definitions)
  const ignored = definitions.bindings
    .filter((node) => node !== binding.node)
    .map((node) => `the binding ${readName(node)} has no port, and is not the first`)
  return {
    service: '',
    port: '',
    address: undefined,
    addresses: new Set(),
    portType,
    bindings: [binding],
    services: [],
    ignored,
  }
}

function findPorts(service: XmlElement, definitions: Definitions): Port[] {
  return findChildren(service, WSDL, 'port').map((node) => {
    const binding = readBinding(referred(node, 'binding', 'binding', definitions))
    const address = node.children.find(({ local }) => local === 'address')
    return {
      service: readName(service),
      name: readName(node),
      version: typeof binding === 'string' ? undefined : binding.version,
      address: address && getAttribute(address, '', 'location')?.trim(),
      binding,
    }
  })
}

/** A SOAP binding, or why it is none that can be used. */
function readBinding(node: XmlElement): SoapBinding | string {
  const soap = node.children.find(({ local, uri }) => local === 'binding' && isSoap(uri))
  if (!soap) return 'is not a SOAP binding'
  const transport = getAttribute(soap, '', 'transport')?.trim() ?? ''
  if (!TRANSPORTS.has(transport)) return `uses the transport ${transport}, not HTTP`
  return {
    node,
    version: soap.uri === WSDL_SOAP12 ? '1.2' : '1.1',
    style: getAttribute(soap, '', 'style')?.trim() ?? 'document',
  }
}

/** Whether a namespace is one of the SOAP bindings of WSDL. */
export function isSoap(uri: string): boolean {
  return uri === WSDL_SOAP11 || uri === WSDL_SOAP12
}

const UNDERSTOOD = new Set([
  'http://www.w3.org/2006/05/addressing/wsdl',
  'http://www.w3.org/2007/05/addressing/metadata',
])

/** Whether a binding says that WS-Addressing is used. */
export function hasAddressing(node: XmlElement): boolean {
  return node.children.some(({ uri, local }) => local === 'UsingAddressing' && UNDERSTOOD.has(uri))
}

/**
 * Rejects an extension that the WSDL declares as required and that nothing here implements (WSDL
 * 1.1, 2.1.3).
 */
export function checkRequired(node: XmlElement): void {
  for (const child of node.children) {
    const required = getAttribute(child, WSDL, 'required')?.trim()
    if ((required === 'true' || required === '1') && !isSoap(child.uri) && !UNDERSTOOD.has(child.uri))
      throw new TypeError(
        `soap-envelope: parseContract: ${clark(readQualifiedName(node))} requires the extension ${clark(child)}, which is not supported`,
      )
    if (child.uri === WSDL && child.local !== 'documentation') checkRequired(child)
  }
}
