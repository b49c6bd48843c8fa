import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { Duplex } from 'node:stream'
import type { PolledMessage } from '../engine/request-state.ts'
import { isSafe } from '../engine/route.ts'
import { isHandedOver } from '../http/pipeline.ts'

/** An error that the parser of node:http reports for the bytes of a connection. */
export interface ParserError extends NodeJS.ErrnoException {
  /** The packet that the parser was reading, and how much of it was HTTP. */
  rawPacket?: Buffer
  bytesParsed?: number
}

/** Responds to bytes that are not a request, or are in the body of `req`. */
export type RespondToParserError = (error: ParserError, req: IncomingMessage | undefined, socket: Duplex) => void

export interface Pipelining {
  handle: RequestListener
  handleParserError(error: ParserError, socket: Duplex): void
}

interface Turn {
  req: IncomingMessage
  res: ServerResponse
  hasStarted: boolean
}

interface Connection {
  /** Requests whose responses have not been sent, oldest first. */
  pending: Turn[]
  latest: Turn | undefined
  /** A poll in which the latest request was complete; `undefined`: it may not be. */
  poll: number | undefined
  /** Whether nothing more is read, until requests that wait have had their turn. */
  isPaused: boolean
  failure: { error: ParserError; isInBody: boolean } | undefined
}

/** Requests that may wait for their turn. Those that are read together with the last one do too. */
const MAX_PENDING = 100

/**
 * Keeps one response per request, in the order of the requests (RFC 9112 §9.3.2). Requests with
 * safe methods are handled concurrently; any other one waits until the responses before it have
 * been sent, and holds up those after it. The response to bytes that are not HTTP comes after those
 * to the requests before them; then the connection is closed.
 */
export function pipelining(listener: RequestListener, respond: RespondToParserError): Pipelining {
  const connections = new WeakMap<Duplex, Connection>()
  return {
    handle(req: PolledMessage, res) {
      const { socket, headers } = req
      let connection = connections.get(socket)
      if (!connection) connections.set(socket, (connection = open(socket)))
      const { pending } = connection
      // When the kernel reports a connection, the first bytes that are read are there. If they
      // belong to something else, such as the rest of a body, an earlier request or a TLS
      // handshake, the request may have been sent after the poll. The loop counts its polls, and
      // the events of a poll when all of them have been handled: if there were too many for one, it
      // polls again.
      const { loopCount, events } = performance.nodeTiming.uvMetricsInfo
      const poll = loopCount + events
      if (connection.poll !== undefined && connection.poll !== poll) req.poll = poll
      const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
      connection.poll = hasBody ? undefined : poll
      if (hasBody && unnoted.push(connection) === 1) setImmediate(noteCompletions)
      const isAlone = pending.length === 0
      const turn: Turn = { req, res, hasStarted: isAlone }
      pending.push(turn)
      connection.latest = turn
      if (!isAlone) {
        advance(connection, socket)
        if (!turn.hasStarted && pending.length > MAX_PENDING && !connection.isPaused) {
          connection.isPaused = true
          socket.on('resume', stayPaused).pause()
        }
      } else if (!socket.destroyed && !socket.writableEnded) listener(req, res)
      // A response that was handed to the kernel in the same tick needs no listener, unless it ends
      // the connection.
      if (isHandedOver(res) && res.shouldKeepAlive && pending.at(-1) === turn) pending.pop()
      else res.on('close', finish)
    },
    handleParserError(error, socket) {
      const connection = connections.get(socket)
      if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
      if (!connection) return respond(error, undefined, socket)
      // The parser reports every packet that follows the first error.
      if (connection.failure) return
      connection.failure = { error, isInBody: connection.latest?.req.complete === false }
      advance(connection, socket)
    },
  }

  // One function for the responses of all connections.
  function finish(this: ServerResponse): void {
    const { socket } = this.req
    const connection = connections.get(socket)
    if (!connection) return
    // A body that came later than its head.
    if (connection.poll === undefined && unnoted.push(connection) === 1) setImmediate(noteCompletions)
    if (connection.pending[0]?.res === this) connection.pending.shift()
    else connection.pending = connection.pending.filter(({ res }) => res !== this)
    if (connection.pending.length > 0 || connection.failure) advance(connection, socket)
    if (!connection.isPaused || connection.pending.length > MAX_PENDING) return
    connection.isPaused = false
    socket.off('resume', stayPaused).resume()
  }

  function advance(connection: Connection, socket: Duplex): void {
    if (socket.destroyed || socket.writableEnded) return
    const { pending, latest, failure } = connection
    const failedTurn = failure?.isInBody ? latest : undefined
    let areSafe = true
    for (const turn of pending) {
      areSafe &&= isSafe(turn.req.method ?? '')
      if ((!areSafe && turn !== pending[0]) || turn === failedTurn) break
      if (turn.hasStarted) continue
      turn.hasStarted = true
      listener(turn.req, turn.res)
    }
    if (failure && pending.every((turn) => turn === failedTurn)) fail(failure.error, failedTurn, pending, socket)
  }

  function fail(error: ParserError, failedTurn: Turn | undefined, pending: readonly Turn[], socket: Duplex): void {
    if (!failedTurn) return respond(error, undefined, socket)
    // A request has one response: an early one was sent, or bytes in the middle of one would be
    // taken for a part of it.
    if (pending.length === 0) lingeringClose(socket)
    else if (failedTurn.res.headersSent) socket.destroy()
    else respond(error, failedTurn.req, socket)
  }
}

// node:http resumes a connection after every message that it has parsed, and for the body of an
// earlier one.
function stayPaused(this: Duplex): void {
  this.pause()
}

// Connections whose latest request has a body: one task for all of a turn.
const unnoted: Connection[] = []
const EARLIER_POLL = -1

/** Notes at the end of a turn which bodies have arrived. What follows comes in a later poll. */
function noteCompletions(): void {
  for (const connection of unnoted.splice(0)) if (connection.latest?.req.complete) connection.poll ??= EARLIER_POLL
}

const LINGER_MS = 1000

/**
 * Ends the sending side of a connection now and the rest a moment later. Closing it with unread
 * bytes would reset it, and the reset could overtake the response (RFC 9112 §9.6).
 */
export function lingeringClose(socket: Duplex): void {
  if (socket.writableEnded) return
  socket.end()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}

function open(socket: Duplex): Connection {
  const connection: Connection = {
    pending: [],
    latest: undefined,
    poll: undefined,
    isPaused: false,
    failure: undefined,
  }
  // node:http emits `close` only on the response that is being sent, not on those that wait behind
  // it.
  socket.once('close', () => {
    for (const { res } of [...connection.pending]) if (!res.closed) res.emit('close')
  })
  return connection
}
