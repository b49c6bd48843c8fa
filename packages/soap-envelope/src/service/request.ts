import type { Principal } from './security.ts'

/** A request as the core sees it: no host, no socket. */
export interface SoapRequest {
  method: string
  /** Content-Type of the body. */
  contentType?: string | undefined
  /** The field SOAPAction of SOAP 1.1. */
  action?: string | undefined
  /** The message, complete or as it arrives, decompressed. */
  body?: Uint8Array | AsyncIterable<Uint8Array>
  /** What follows `?` in the target. @defaultValue '' */
  query?: string
  /** The address under which clients reach the service, without a query: it stands in the WSDL. */
  publicUrl?: string
  /** Path of the request, for the record in the detail of a fault. */
  path?: string
  /** Whether the message came over HTTPS or from this machine: credentials in it count only then. @defaultValue false */
  secure?: boolean
  /** Who sends, by what HTTP says. */
  principal?: Principal | undefined
  acceptLanguage?: string | undefined
  ifNoneMatch?: string | undefined
  /** Identifies the request in logs; given to the client in the detail of a fault. */
  correlationId?: string | undefined
  signal?: AbortSignal
}

export interface SoapResponse {
  status: number
  headers: Record<string, string>
  /** Text in UTF-8; empty for an answer without a body. */
  body: string
}
