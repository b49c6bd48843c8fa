/** User that sends a message. */
export interface AuthenticatedUser {
  /** The user's name. All credentials of one message must have the same. */
  readonly name: string
  /** The value that the lookup returned for the user. */
  readonly subject: unknown
}

/** A request as the core sees it: no host, no socket. */
export interface SoapRequest {
  /** The HTTP method. */
  method: string
  /** Content-Type of the body. */
  contentType?: string | undefined
  /** The field SOAPAction of SOAP 1.1. */
  action?: string | undefined
  /** The message, complete or as it arrives, decompressed. */
  body?: Uint8Array | AsyncIterable<Uint8Array>
  /** The part of the target after `?`. @defaultValue '' */
  query?: string
  /** The address under which clients reach the service, without a query. The WSDL contains it. */
  publicUrl?: string | undefined
  /** Path of the request, for the record in the detail of a fault. */
  path?: string
  /**
   * Whether the message came over HTTPS or from this machine: credentials in it count only then.
   * @defaultValue false
   */
  isSecure?: boolean
  /** The user by the credentials of HTTP. */
  user?: AuthenticatedUser | undefined
  /**
   * The field Accept: `multipart/related` in it asks for binary values as attachments (MTOM/XOP).
   */
  accept?: string | undefined
  /** The field Accept-Language: it chooses the languages of a fault. */
  acceptLanguage?: string | undefined
  /** The field If-None-Match, for the WSDL and its schemas. */
  ifNoneMatch?: string | undefined
  /** Value of the app for handlers and security mechanisms. */
  context?: unknown
  /** Identifies the request in logs; given to the client in the detail of a fault. */
  correlationId?: string | undefined
  /** Ends the work on the request: its client went away. */
  signal?: AbortSignal
}

/** Response, ready for HTTP. */
export interface SoapResponse {
  /** HTTP status. */
  status: number
  /** HTTP fields, Content-Type among them. */
  headers: Record<string, string>
  /** Text in UTF-8; empty for a response without a body. */
  body: string
  /**
   * The body of a response that is sent in pieces, with attachments or streamed items: `body` is
   * then only the message, and the Content-Type is that of the whole.
   */
  pieces?: readonly (string | Uint8Array)[] | AsyncIterable<string | Uint8Array>
}
