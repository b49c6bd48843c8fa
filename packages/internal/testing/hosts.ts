/// <reference path="./untyped.d.ts" />
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createHttp2Server, type ServerHttp2Session } from 'node:http2'
import connect from 'connect'
import express5 from 'express'
import express4 from 'express4'
import polka from 'polka'
import type { Middleware } from '../middleware.ts'

type ErrorHandler = (error: unknown, req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void

export interface Pipeline {
  /** Middleware before the handler, in order. */
  middlewares: readonly Middleware[]
  /** The handler. Without one, the final handler of the host responds. */
  handler?: (req: IncomingMessage, res: ServerResponse) => void
  /** The error handler. Without one, the host sends its error page. */
  onError?: ErrorHandler
}

/**
 * Every host on which middleware must behave alike, as a function that compiles a pipeline to a
 * request listener.
 */
export const hosts: Record<string, (pipeline: Pipeline) => (req: IncomingMessage, res: ServerResponse) => void> = {
  'node:http': (pipeline) => (req, res) => runBare(pipeline, req, res),
  connect: (pipeline) => fill(connect(), pipeline) as ReturnType<typeof connect>,
  polka: ({ middlewares, handler, onError }) => {
    const app = polka(onError ? { onError: (error, req, res, next) => onError(error, req, res, next) } : {})
    for (const middleware of middlewares) app.use(middleware as never)
    if (handler) app.use(((req: IncomingMessage, res: ServerResponse) => handler(req, res)) as never)
    return (req, res) => void app.handler(req as never, res as never)
  },
  'express 4': (pipeline) => fill(express4(), pipeline) as unknown as ReturnType<typeof connect>,
  'express 5': (pipeline) => fill(express5(), pipeline) as unknown as ReturnType<typeof connect>,
}

const http2Listeners = new WeakSet<object>()

/**
 * The hosts, and node:http2, which Express, connect and polka do not support. `send` and `check`
 * speak HTTP/2 to it.
 */
export const hostsWithHttp2: typeof hosts = {
  ...hosts,
  'node:http2': (pipeline) => {
    const listener = (req: IncomingMessage, res: ServerResponse): void => runBare(pipeline, req, res)
    http2Listeners.add(listener)
    return listener
  },
}

interface Usable {
  use(handler: never): unknown
}

function fill<App extends Usable>(app: App, { middlewares, handler, onError }: Pipeline): App {
  for (const middleware of middlewares) app.use(middleware as never)
  if (handler) app.use(((req: IncomingMessage, res: ServerResponse) => handler(req, res)) as never)
  if (onError)
    app.use(((e: unknown, q: IncomingMessage, s: ServerResponse, n: () => void) => onError(e, q, s, n)) as never)
  return app
}

function runBare({ middlewares, handler, onError }: Pipeline, req: IncomingMessage, res: ServerResponse): void {
  const step = (index: number): void => {
    const middleware = middlewares[index]
    if (!middleware) handler?.(req, res)
    else if (onError)
      middleware(req, res, (error?: unknown) => (error ? onError(error, req, res, () => {}) : step(index + 1)))
    else middleware(req, res, () => step(index + 1))
  }
  step(0)
}

export interface RunningHost {
  /** `http://127.0.0.1:<port>`, or `http2:` instead of `http:`. */
  url: string
  server: Server
  close(): Promise<void>
}

/** Listens on a free port of loopback. */
export async function listen(listener: (req: IncomingMessage, res: ServerResponse) => void): Promise<RunningHost> {
  const isHttp2 = http2Listeners.has(listener)
  const sessions = new Set<ServerHttp2Session>()
  // The compatibility API has the methods of node:http that middleware uses.
  const server = isHttp2 ? (createHttp2Server(listener as never) as unknown as Server) : createServer(listener)
  if (isHttp2) server.on('session', (session: ServerHttp2Session) => sessions.add(session))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const session of sessions) session.destroy()
    if (!isHttp2) server.closeAllConnections()
    await closed
  }
  return { url: `${isHttp2 ? 'http2' : 'http'}://127.0.0.1:${port}`, server, close }
}
