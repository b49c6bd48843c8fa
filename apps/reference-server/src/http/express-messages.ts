import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http'
import type { PolledMessage } from '../engine/request-state.ts'

/** The classes that node:http creates requests and responses with. */
export type MessageClasses = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>

/**
 * Returns classes of messages that have the prototypes of an Express app from the start. Express
 * exchanges the prototypes of all others for each request, after which V8 reads their properties
 * slowly.
 */
export function messageClasses(app: { request: object; response: object }): MessageClasses {
  // Every property is set in the constructor, so that V8 gives all requests one hidden class.
  class Request extends IncomingMessage implements PolledMessage {
    poll: number | undefined = undefined
  }
  class Response<T extends IncomingMessage> extends ServerResponse<T> {}
  app.request = Object.setPrototypeOf(Request.prototype, app.request)
  app.response = Object.setPrototypeOf(Response.prototype, app.response)
  return { IncomingMessage: Request, ServerResponse: Response }
}
