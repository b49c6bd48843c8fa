declare module 'polka' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface App {
    use(middleware: never): App
    handler(req: never, res: never): void
  }
  type OnError = (error: unknown, req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void
  export default function polka(options?: { onError?: OnError }): App
}

declare module 'express4' {
  export { default } from 'express'
}
