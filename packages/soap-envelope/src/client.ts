import { assertKnownOptions, inspectValue } from '../../internal/options.ts'
import { parseEnvelope } from './envelope/parse.ts'
import { isFault, readFault } from './envelope/read-fault.ts'
import { writeEnvelope } from './envelope/write.ts'
import { type TokenCredentials, writeUsernameToken } from './security/write-token.ts'
import { type Contract, parseContract } from './wsdl/contract.ts'
import type { Operation } from './wsdl/operations.ts'
import type { MessageLimits } from './xml/limits.ts'
import { clark, type SoapVersion } from './xml/names.ts'

export type { TokenCredentials } from './security/write-token.ts'

/** What the operations of a port type take and give. `svc-soap types` writes one from a WSDL. */
export type PortType = Record<string, { input: unknown; output: unknown }>

/** Where a client sends, and with what. */
export interface SoapClientOptions {
  /** Address of the service. */
  endpoint: string
  /** @defaultValue '1.2' */
  version?: SoapVersion
  /** Credentials for a WS-Security UsernameToken in every message. */
  credentials?: TokenCredentials
  /** HTTP fields of every request, such as `Authorization`. */
  headers?: Readonly<Record<string, string>>
  /** What an answer may hold at most. */
  limits?: Partial<MessageLimits>
  /** Milliseconds that a call may take. @defaultValue 30,000 */
  timeoutMs?: number
  /** @defaultValue the `fetch` of Node */
  fetch?: typeof fetch
}

/** What one call adds to the settings of its client. */
export interface CallOptions {
  /** XML of further header blocks; `env` is bound to the namespace of the envelope. */
  headerBlocks?: readonly string[]
  /** HTTP fields of this request. */
  headers?: Readonly<Record<string, string>>
  /** Ends the call: the promise is rejected with its reason. */
  signal?: AbortSignal
}

/** Calls the operations of one contract. */
export interface SoapClient<Port extends PortType> {
  /**
   * Sends a message and gives what the answer holds; nothing for a one-way operation. Rejects with a SoapFault when
   * the service answers with one, with a TypeError when the input does not fit the contract.
   */
  call<Name extends keyof Port & string>(
    operation: Name,
    input: Port[Name]['input'],
    options?: CallOptions,
  ): Promise<Port[Name]['output']>
}

/** Makes a client of a contract. Answers are checked against the schema like requests are. */
export function soapClient<Port extends PortType = PortType>(
  wsdl: string | Contract,
  options: SoapClientOptions,
): SoapClient<Port> {
  assertKnownOptions('soap-envelope: soapClient', options, [
    ...['endpoint', 'version', 'credentials', 'headers', 'limits', 'timeoutMs', 'fetch'],
  ])
  if (!URL.canParse(options.endpoint))
    throw new TypeError(`soap-envelope: soapClient: endpoint must be a URL, got ${inspectValue(options.endpoint)}`)
  const contract = typeof wsdl === 'string' ? parseContract(wsdl) : wsdl
  const operations = new Map([...contract.operations.values()].map((operation) => [operation.name, operation]))
  return {
    call: async (name, input, callOptions = {}) => {
      const operation = operations.get(name)
      if (!operation)
        throw new TypeError(`soap-envelope: soapClient: ${contract.portType} has no operation ${inspectValue(name)}`)
      return (await send(operation, input, contract, options, callOptions)) as Port[typeof name]['output']
    },
  }
}

async function send(
  operation: Operation,
  input: unknown,
  { schema }: Contract,
  options: SoapClientOptions,
  { headerBlocks = [], headers = {}, signal }: CallOptions,
): Promise<unknown> {
  const { version = '1.2', credentials, timeoutMs = 30_000 } = options
  const token = credentials ? [writeUsernameToken(credentials)] : []
  const timeout = AbortSignal.timeout(timeoutMs)
  const response = await (options.fetch ?? fetch)(options.endpoint, {
    method: 'POST',
    headers: { ...typeFields(version, operation.action), ...options.headers, ...headers },
    body: writeEnvelope({ version, body: schema.encode(operation.input, input), headers: [...token, ...headerBlocks] }),
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  })
  const contentType = response.headers.get('content-type') ?? ''
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (operation.output === undefined && bytes.length === 0 && response.ok) return undefined
  if (!/^(application\/soap\+xml|text\/xml)\b/i.test(contentType))
    throw new Error(
      `the service answered ${response.status} with ${contentType || 'no Content-Type'}, which is no SOAP`,
    )
  const { body, version: spoken } = await parseEnvelope(bytes, { contentType, limits: options.limits ?? {} })
  if (body && isFault(body)) throw readFault(body, spoken, response.status)
  if (!body || !operation.output || clark(body) !== clark(operation.output))
    throw new Error(`the service answered ${operation.name} with another message`)
  return schema.decode(body)
}

function typeFields(version: SoapVersion, action: string): Record<string, string> {
  if (version === '1.1') return { 'Content-Type': 'text/xml; charset=utf-8', SOAPAction: `"${action}"` }
  const parameter = action === '' ? '' : `; action="${action}"`
  return { 'Content-Type': `application/soap+xml; charset=utf-8${parameter}` }
}
