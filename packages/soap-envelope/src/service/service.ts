import type { MaybePromise } from '../../../internal/maybe-promise.ts'
import { memoize } from '../../../internal/memoize.ts'
import { inspectValue } from '../../../internal/options.ts'
import { isAddressing } from '../addressing/addressing.ts'
import type { HeaderBlock } from '../envelope/header.ts'
import type { AttachmentLimits } from '../mime/multipart.ts'
import { acceptsXop, DEFAULT_ATTACHMENTS } from '../mime/packaging.ts'
import type { ListCodec } from '../schema/list-codec.ts'
import { createFault } from '../to-fault.ts'
import type { Operation } from '../wsdl/operations.ts'
import { readContentType } from '../xml/content-type.ts'
import { completeLimits, type MessageLimits, resolveLimits } from '../xml/limits.ts'
import { clark } from '../xml/names.ts'
import { answerFault, type Setting, type Streaming } from './answer.ts'
import { messageHandler } from './handle-message.ts'
import { checkOptions, type SoapServiceOptions } from './options.ts'
import { pendingWork } from './pending.ts'
import type { SoapRequest, SoapResponse } from './request.ts'
import { createTable, type Table } from './versions.ts'

/** A SOAP service, independent of the framework. */
export interface SoapService {
  /**
   * Returns the response to a message, or to a request for the WSDL. Never throws or rejects: every
   * error becomes a fault. Returns a promise only if the body, the credentials or the handler must
   * be awaited.
   */
  handle(request: SoapRequest): MaybePromise<SoapResponse>
  /** Returns the fault for an error of a request, such as that of middleware before the service. */
  fault(error: unknown, request: SoapRequest): SoapResponse
  /** Resolves when no one-way message is in progress. */
  idle(): Promise<void>
  /** Maximum sizes of a message. */
  readonly limits: MessageLimits
  /** Maximum bytes of a message of a streamed operation; `undefined` if there is none. */
  readonly maxStreamBytes?: number | undefined
  /** The limits of attachments; `undefined` if they are rejected. */
  readonly attachments: AttachmentLimits | undefined
}

/**
 * Creates a service from contracts and handlers. Throws a `TypeError` if an operation has no
 * handler, a handler has no operation, or a contract is invalid.
 */
export function soapService(options: SoapServiceOptions): SoapService {
  const owner = 'soap-envelope: soapService'
  const table = createTable(checkOptions(options), options)
  const limits = resolveLimits(owner, options.limits)
  const attachments =
    options.attachments !== undefined
      ? completeLimits(owner, 'attachments', options.attachments, DEFAULT_ATTACHMENTS)
      : undefined
  const pending = pendingWork(options.maxPendingOneWay ?? 1000)
  const reading = {
    limits,
    roles: options.roles ?? [],
    understoodHeaders: createUnderstood(options, table),
    maxBodyElements: table.maxBodyElements,
  }
  const setting: Setting = {
    options,
    table,
    reading,
    readers: { idle: undefined },
    attachments,
    pending,
    streaming: readStreaming(options, table),
    readType: memoize(readContentType),
    acceptsXop: memoize(acceptsXop),
  }
  const names = new Set([...table.routes.values()].flat().map(({ operation }) => operation.name))
  for (const name of options.publicOperations ?? []) {
    if (!names.has(name))
      throw new TypeError(`${owner}: publicOperations names ${inspectValue(name)}, which is not an operation`)
  }
  return {
    limits,
    maxStreamBytes: setting.streaming?.maxStreamBytes,
    attachments,
    idle: pending.idle,
    fault: (error, request) =>
      answerFault(error, { request, setting, route: undefined, addressing: undefined, protect: undefined }),
    handle: messageHandler(setting),
  }
}

const GIBIBYTE = 1_073_741_824

function readStreaming(options: SoapServiceOptions, { routes }: Table): Streaming | undefined {
  const { streamedOperations = [], maxStreamBytes = GIBIBYTE } = options
  if (streamedOperations.length === 0) return undefined
  const lists = new Map<Operation, ListCodec>()
  const operations = [...routes.values()].flat().map(({ operation }) => operation)
  for (const name of streamedOperations) {
    const named = operations.filter((operation) => operation.name === name)
    for (const operation of named) {
      const list = operation.input.parts.length === 1 ? operation.input.parts[0]?.list() : undefined
      if (list) lists.set(operation, list)
    }
    if (named.length === 0 || named.some((operation) => !lists.has(operation)))
      throw new TypeError(
        `soap-envelope: soapService: streamedOperations names ${inspectValue(name)}, whose input does not end with a repeated element`,
      )
    if (named.some(({ output }) => output === undefined))
      throw new TypeError(
        `soap-envelope: soapService: streamedOperations names ${inspectValue(name)}, which has no output: its response would not wait for its items`,
      )
  }
  return { lists, maxStreamBytes }
}

/**
 * The blocks of the security mechanisms are understood, those that the contracts bind, and those of
 * the option.
 */
function createUnderstood(options: SoapServiceOptions, { routes }: Table): (block: HeaderBlock) => boolean {
  const { security = [], understoodHeaders = [] } = options
  const bound = [...routes.values()].flat().flatMap(({ operation }) => operation.input.headers)
  const names = new Set([...security.map(({ header }) => clark(header)), ...bound.map(({ element }) => clark(element))])
  const all = [...routes.values()].flat()
  const withAddressing = all.some(({ usesAddressing }) => usesAddressing)
  const isKnown = (block: HeaderBlock): boolean =>
    names.has(clark(block.element)) || (withAddressing && isAddressing(block))
  if (typeof understoodHeaders === 'function')
    return (block) => {
      try {
        return isKnown(block) || understoodHeaders(block)
      } catch (error) {
        throw createFault(error) // any other error would be one of the stream
      }
    }
  for (const name of understoodHeaders) names.add(clark(name))
  return isKnown
}
