import type { OperationContext, SoapRequest } from '@svc/soap-envelope'
import type { Caller } from '../../engine/index.ts'

/** A message in progress, as the `context` of its request. */
export class SoapMessage {
  /** Network address that it came from. */
  readonly address: string
  /** Throws if its sender has already received an error. */
  beforeCommit: () => void = () => {}
  /** Resolves when what it brought is stored. */
  stored: Promise<void> | undefined

  constructor(address: string) {
    this.address = address
  }
}

/**
 * Returns the message of a request; `undefined` if the service is not behind an endpoint of the
 * server.
 */
export function getMessage({ context }: SoapRequest): SoapMessage | undefined {
  return context instanceof SoapMessage ? context : undefined
}

export interface Sender {
  readonly caller: Caller | undefined
  /**
   * Throws if the sender has already received an error. Called last in the transaction that stores
   * the message.
   */
  beforeCommit(): void
}

export function readSender({ user, request }: OperationContext): Sender {
  const caller = user?.subject as Caller | undefined
  return { caller, beforeCommit: () => getMessage(request)?.beforeCommit() }
}
