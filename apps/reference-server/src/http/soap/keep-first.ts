import type { AsyncLocalStorage } from 'node:async_hooks'
import type { SoapService } from '@svc/soap-envelope'
import type { EventLog } from '../../domain/soap/services.ts'

/** What is known of the message that is at work. */
export interface Message {
  /** Where it came from. */
  address: string
  /** Throws where its sender was already told that it failed. */
  beforeCommit?: () => void
  /** Resolves when what it brought is kept. */
  kept?: Promise<void>
}

/** A log that tells the message at work when what it brought is kept. */
export function tellMessage(log: EventLog, messages: AsyncLocalStorage<Message>): EventLog {
  const tell = (kept: Promise<void>): Promise<void> => {
    const message = messages.getStore()
    if (message) message.kept = kept
    return kept
  }
  return {
    event: (event, by) => tell(Promise.resolve(log.event(event, by))),
    notification: (text, by) => tell(Promise.resolve(log.notification(text, by))),
  }
}

/** Answers 202 when a message is kept, not before: what was answered survives the process. Else it is a fault. */
export function keepFirst(service: SoapService, messages: AsyncLocalStorage<Message>): SoapService {
  return {
    ...service,
    async handle(request) {
      const answer = await service.handle(request)
      if (answer.status !== 202) return answer
      try {
        await messages.getStore()?.kept
        return answer
      } catch (error) {
        return service.fault(error, request)
      }
    },
  }
}
