import type { AsyncLocalStorage } from 'node:async_hooks'
import type { SoapService } from '@svc/soap-envelope'
import { withDeadline } from '../deadline.ts'
import type { Message } from './keep-first.ts'

/** Answers a fault (503) where a message takes longer, and keeps nothing that it brought: as the resource API does. */
export function withinDeadline(
  service: SoapService,
  messages: AsyncLocalStorage<Message>,
  milliseconds: number,
): SoapService {
  return {
    ...service,
    async handle(request) {
      try {
        return await withDeadline(milliseconds, (lift) => {
          const message = messages.getStore()
          if (message) message.beforeCommit = lift
          return service.handle(request)
        })
      } catch (error) {
        return service.fault(error, request)
      }
    },
  }
}
