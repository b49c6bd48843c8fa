/** User who sent a message. */
export interface AuthenticatedUser {
  /** Name of the user. All credentials of a message must have the same one. */
  readonly name: string
  /** The value that `findUser` returned for the user. */
  readonly subject: unknown
}

/** A request, independent of the framework. */
export interface SoapRequest {
  /** The HTTP method. */
  method: string
  /** The header `Content-Type`. */
  contentType?: string | undefined
  /** The header `SOAPAction` of SOAP 1.1. */
  action?: string | undefined
  /** The decompressed message, complete or as it arrives. */
  body?: Uint8Array | AsyncIterable<Uint8Array>
  /** The query, without `?`. @defaultValue '' */
  query?: string
  /** Public URL of the service, without a query. The WSDL contains it. */
  publicUrl?: string | undefined
  /** Path of the request. Faults have it in their detail. */
  path?: string
  /**
   * Whether the message came over HTTPS or from this host. Credentials are only accepted then.
   * @defaultValue false
   */
  isSecure?: boolean
  /** The user that HTTP authentication found. */
  user?: AuthenticatedUser | undefined
  /**
   * The header `Accept`. With `multipart/related`, binary values are sent as attachments
   * (MTOM/XOP).
   */
  accept?: string | undefined
  /** The header `Accept-Language`, which selects the languages of a fault. */
  acceptLanguage?: string | undefined
  /** The header `If-None-Match`, for the WSDL and its schemas. */
  ifNoneMatch?: string | undefined
  /** A value for handlers and security mechanisms. */
  context?: unknown
  /** Id of the request in your logs. Faults have it in their detail. */
  correlationId?: string | undefined
  /** Aborts the request if the client disconnects. */
  signal?: AbortSignal
}

/** An HTTP response. */
export interface SoapResponse {
  /** HTTP status. */
  status: number
  /** HTTP headers, including `Content-Type`. */
  headers: Record<string, string>
  /** The body, sent in UTF-8; empty for none. */
  body: string
  /**
   * The body of a response with attachments or streamed items, in pieces. `body` is then only the
   * message, and `Content-Type` that of the whole response.
   */
  pieces?: readonly (string | Uint8Array)[] | AsyncIterable<string | Uint8Array>
}
