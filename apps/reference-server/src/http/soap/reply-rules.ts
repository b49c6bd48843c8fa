import type { SoapService } from '@svc/soap-envelope'
import { getMessage } from '../../domain/soap/message.ts'
import { withDeadline } from '../deadline.ts'

/**
 * Returns 202 only after a message is stored, so that accepted messages survive the process.
 * Otherwise returns a fault.
 */
export function acceptWhenStored(service: SoapService): SoapService {
  return {
    ...service,
    async handle(request) {
      const answer = await service.handle(request)
      if (answer.status !== 202) return answer
      try {
        await getMessage(request)?.stored
        return answer
      } catch (error) {
        return service.fault(error, request)
      }
    },
  }
}

/**
 * Returns a fault (503) if a message takes longer, and stores nothing of it, like the resource API.
 */
export function withinDeadline(service: SoapService, milliseconds: number): SoapService {
  return {
    ...service,
    async handle(request) {
      try {
        return await withDeadline(milliseconds, (lift) => {
          const message = getMessage(request)
          if (message) message.beforeCommit = lift
          return service.handle(request)
        })
      } catch (error) {
        return service.fault(error, request)
      }
    },
  }
}
