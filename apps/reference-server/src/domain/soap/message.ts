import type { OperationContext, SoapRequest } from '@svc/soap-envelope'
import type { Caller, Changes } from '../../engine/index.ts'

/**
 * A message in progress, as the `context` of its request. The constructor sets every field: an
 * initializer would set it twice.
 */
export class SoapMessage {
  /** Network address that it came from. */
  declare readonly address: string
  /**
   * The changes of the database when the message arrived; `undefined` if they are not known, or if
   * the message took longer than a turn of the event loop to arrive.
   */
  declare changes: Changes | undefined
  /**
   * Throws if its sender has already received an error. Called last in the transaction that stores
   * the message.
   */
  declare beforeCommit: () => void
  /** Resolves when what it brought is stored. */
  declare stored: Promise<void> | undefined

  constructor(address: string, changes?: Changes) {
    this.address = address
    this.changes = changes
    this.beforeCommit = nothing
    this.stored = undefined
  }
}

function nothing(): void {}

/**
 * Returns the message of a request; `undefined` if the service is not behind an endpoint of the
 * server.
 */
export function getMessage({ context }: SoapRequest): SoapMessage | undefined {
  return context instanceof SoapMessage ? context : undefined
}

export interface Sender extends Pick<SoapMessage, 'beforeCommit'> {
  readonly caller: Caller | undefined
  /** The changes of the database; `undefined` if they are not known. */
  readonly changes: Changes | undefined
}

export function readSender({ user, request }: OperationContext): Sender {
  const message = getMessage(request)
  return {
    caller: user?.subject as Caller | undefined,
    changes: message?.changes,
    beforeCommit: () => message?.beforeCommit(),
  }
}
