import { connect, type Socket } from 'node:net'
import { isApartFromServers } from '../harness/processors.ts'

export interface Shot {
  /** Number of responses by status. */
  answers: Map<number, number>
  seconds: number
}

const HEAD_END = Buffer.from('\r\n\r\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/** Returns the next request to send; `undefined` ends the client. */
export type NextRequest = () => string | undefined

/** The time for which requests are sent, in milliseconds. */
export interface Span {
  ms: number
  /** Requests that are sent in any case, if they end within `maxMs`. */
  requests: number
  maxMs: number
}

// On a busy machine a slice passes with a handful of requests, which say nothing.
const SLICE = { requests: 500, maxMs: 5000 }

/** Requests for a time in milliseconds, by default at least 500 if they end within five seconds. */
export function during(span: number | Span, request: () => string): NextRequest {
  const { ms, requests, maxMs } = typeof span === 'number' ? { ...SLICE, ms: span } : span
  const start = performance.now()
  let sent = 0
  return () => {
    const passed = performance.now() - start
    const isOver = passed > maxMs || (passed > ms && sent >= requests)
    if (isOver) return undefined
    sent++
    return request()
  }
}

/**
 * Runs a closed loop over this many connections: each sends its next request when the response has
 * arrived. It parses only as much of a response as finding its end takes, so that the client uses
 * little CPU.
 */
export async function shoot(port: number, connections: number, next: NextRequest): Promise<Shot> {
  const answers = new Map<number, number>()
  const start = performance.now()
  let isOver = !isApartFromServers()
  // To wake a client that sleeps costs the server, and the slower it is, the more often.
  const stayAwake = (): void => void (isOver || setImmediate(stayAwake))
  stayAwake()
  await Promise.all(Array.from({ length: connections }, () => client(port, next, answers)))
  isOver = true
  return { answers, seconds: (performance.now() - start) / 1000 }
}

/**
 * Runs one client. If the server closes the connection after a response, it opens another one. That
 * is part of the cost.
 */
async function client(port: number, next: NextRequest, answers: Map<number, number>): Promise<void> {
  for (let text = next(); text !== undefined; ) text = await converse(port, text, next, answers)
}

/**
 * Sends over one connection; resolves with the request that found it closed, or `undefined` at the
 * end.
 */
function converse(
  port: number,
  first: string,
  next: NextRequest,
  answers: Map<number, number>,
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let held: Buffer = Buffer.alloc(0)
    let text: string | undefined = first
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => socket.write(first))
    socket.on('data', (chunk: Buffer) => {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      const answer = wholeAnswer(held)
      if (answer === undefined) return
      held = Buffer.alloc(0)
      answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1)
      text = next()
      if (text === undefined || answer.isLast) socket.end()
      else socket.write(text)
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(text))
  })
}

interface Answer {
  status: number
  /** The server closes the connection behind it. */
  isLast: boolean
}

/** Parses a response; `undefined` if it is not complete yet. */
function wholeAnswer(bytes: Buffer): Answer | undefined {
  const headEnd = bytes.indexOf(HEAD_END)
  if (headEnd === -1) return undefined
  const head = bytes.toString('latin1', 0, headEnd).toLowerCase()
  const answer = { status: Number(head.slice(9, 12)), isLast: head.includes('\r\nconnection: close') }
  if (answer.status === 304 || answer.status === 204) return answer
  const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1]
  const isWhole =
    length === undefined
      ? bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
      : bytes.length >= headEnd + HEAD_END.length + Number(length)
  return isWhole ? answer : undefined
}
