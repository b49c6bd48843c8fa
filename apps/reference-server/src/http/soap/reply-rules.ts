import type { SoapService } from '@svc/soap-envelope'
import { chain, isPromise } from '../../database/maybe-promise.ts'
import { getMessage } from '../../domain/soap/message.ts'
import { withDeadline } from '../deadline.ts'

/**
 * Adds the rules of the server to a service. It returns 202 only after a message is stored, so that
 * accepted messages survive the process. It returns a fault (503) if a message takes longer than
 * the deadline, and stores nothing of it, like the resource API.
 */
export function withReplyRules(service: SoapService, milliseconds: number): SoapService {
  return {
    ...service,
    handle(request) {
      const message = getMessage(request)
      const response = withDeadline(milliseconds, (lift) => {
        if (message) message.beforeCommit = lift
        return chain(service.handle(request), (answer) =>
          answer.status === 202 && message?.stored ? message.stored.then(() => answer) : answer,
        )
      })
      return isPromise(response) ? response.then(undefined, (error) => service.fault(error, request)) : response
    },
  }
}
