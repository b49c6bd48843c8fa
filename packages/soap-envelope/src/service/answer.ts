import { mapOrThrown } from '../../../internal/map-error.ts'
import { quietly } from '../../../internal/maybe-promise.ts'
import { escapeAttribute, escapeText } from '../../../internal/xml-escape.ts'
import { type Addressing, faultBlocks } from '../addressing/addressing.ts'
import type { ParseEnvelopeOptions, ReaderSlot } from '../envelope/parse.ts'
import { formatEnvelope } from '../envelope/write.ts'
import { faultParts } from '../envelope/write-fault.ts'
import { isOutgoingFault, SoapFault } from '../fault.ts'
import type { AttachmentLimits } from '../mime/multipart.ts'
import { innerContentType, isMultipart } from '../mime/packaging.ts'
import type { ListCodec } from '../schema/list-codec.ts'
import { createFault, httpStatusFor, toFaultInit } from '../to-fault.ts'
import type { Operation } from '../wsdl/operations.ts'
import { type ContentType, readContentType } from '../xml/content-type.ts'
import type { MessageLimits } from '../xml/limits.ts'
import { FAULTS, type SoapVersion } from '../xml/names.ts'
import { readLanguages } from './languages.ts'
import type { SoapServiceOptions } from './options.ts'
import type { PendingWork } from './pending.ts'
import type { SoapRequest, SoapResponse } from './request.ts'
import type { SecurityMechanism } from './security.ts'
import type { Route, Table } from './versions.ts'

/** The options of a service, compiled. */
export interface Setting {
  readonly options: SoapServiceOptions
  readonly table: Table
  /** The options of every reader. */
  readonly reading: ParseEnvelopeOptions & { limits: MessageLimits }
  /** The reader of short messages, between two of them. */
  readonly readers: ReaderSlot
  readonly attachments: AttachmentLimits | undefined
  readonly pending: PendingWork
  readonly streaming: Streaming | undefined
  /** Parses a Content-Type. Clients send few different ones: their results are stored. */
  readonly readType: (contentType: string | undefined) => ContentType
  /** Whether a client asks for attachments by its Accept. */
  readonly acceptsXop: (accept: string | undefined) => boolean
}

const ONLY_12: readonly SoapVersion[] = ['1.2']
const BOTH: readonly SoapVersion[] = ['1.2', '1.1']

/** Operations whose items are read as they arrive. */
export interface Streaming {
  /** Their lists by the operation. */
  readonly lists: ReadonlyMap<Operation, ListCodec>
  readonly maxStreamBytes: number
}

/** A message that is being processed. */
export interface Processing {
  readonly request: SoapRequest
  readonly setting: Setting
  route: Route | undefined
  addressing: Addressing | undefined
  /** Writes the response with the protection of its request. */
  protect: SecurityMechanism['protect']
}

/** Builds the response for an error, in the version that the request speaks. */
export function answerFault(thrown: unknown, processing: Processing): SoapResponse {
  const { request, setting, route, addressing, protect } = processing
  const { options, table } = setting
  const { mapError } = options
  const error = mapError ? mapOrThrown(() => mapError(thrown), thrown) : thrown
  const { faultNamespace = FAULTS } = options
  const version = replyVersion(request)
  const { detail } = route?.version ?? table.versions[0]
  const more = isUnknownOperation(error) ? supportedNamespaces(table, faultNamespace) : ''
  const fault = createFault(withDetail(error, route), {
    path: request.path ?? '/',
    correlationId: request.correlationId,
    detail: (record) => `${detail(record) ?? ''}${more}` || undefined,
  })
  report(fault, error, processing)
  const writing = {
    version,
    faultNamespace,
    blocks: addressing ? faultBlocks(addressing, fault) : [],
    languages: readLanguages(request.acceptLanguage),
    supported: options.acceptSoap11 === false ? ONLY_12 : BOTH,
  }
  const parts = faultParts(fault, writing)
  const text = protect ? protect({ ...parts, attachments: [], tokens: '' }) : formatEnvelope(parts)
  // Only POST carries a message: the rest of HTTP keeps the statuses of HTTP, so that HEAD of SOAP
  // 1.1 is not always 500.
  const isPlain = options.statusMode === 'http' || request.method !== 'POST'
  const status = isPlain ? (fault.httpStatus ?? fault.status) : httpStatusFor(fault, version)
  const answered = respond(status, text, version)
  return { ...answered, headers: { ...answered.headers, ...fault.headers } }
}

/**
 * A fault that the contract declares gets its element as the detail. One that does not fit is a bug
 * of the handler.
 */
function withDetail(error: unknown, route: Route | undefined): unknown {
  if (!isOutgoingFault(error) || error.declared === undefined || error.detail !== undefined) return error
  const { name, value } = error.declared
  const declared = route?.operation.faults.find((fault) => fault.name === name)
  if (!declared)
    return new TypeError(`soap-envelope: ${route?.operation.name ?? 'the message'} declares no fault "${name}"`)
  try {
    return new SoapFault({ ...toFaultInit(error), detail: declared.encode(value) })
  } catch (wrong) {
    return wrong
  }
}

function isUnknownOperation(error: unknown): boolean {
  return isOutgoingFault(error) && error.subcodes[0]?.local === 'UnknownOperation'
}

/** Namespaces for a client of a version that is gone, or not there yet. */
function supportedNamespaces({ versions }: Table, faultNamespace: string): string {
  const open = `<f:SupportedNamespace xmlns:f="${escapeAttribute(faultNamespace)}">`
  return versions
    .map(({ contract }) => `${open}${escapeText(contract.targetNamespace)}</f:SupportedNamespace>`)
    .join('')
}

/** Reports a fault to `onFault`, without the message itself, which may contain a password. */
export function report(fault: SoapFault, error: unknown, { request, route, setting }: Processing): void {
  const { body: _, ...about } = request
  // A log that fails must not prevent the response.
  quietly(() => setting.options.onFault?.(fault, { error, operation: route?.operation.name, request: about }))
}

/** The Content-Type of a response in each version. */
export const MEDIA_TYPES: Readonly<Record<SoapVersion, string>> = {
  '1.1': 'text/xml; charset=utf-8',
  '1.2': 'application/soap+xml; charset=utf-8',
}

/** Response with an envelope in it. */
function respond(status: number, body: string, version: SoapVersion): SoapResponse {
  return { status, headers: { 'Content-Type': MEDIA_TYPES[version], 'Cache-Control': 'no-store' }, body }
}

/** The version of a response that may come before the message was read. */
function replyVersion({ contentType }: SoapRequest): SoapVersion {
  return readContentType(isMultipart(contentType) ? innerContentType(contentType) : contentType).version ?? '1.2'
}
