import { connect, type Socket } from 'node:net'

export interface Shot {
  /** Answers by their status. */
  answers: Map<number, number>
  seconds: number
}

const HEAD_END = Buffer.from('\r\n\r\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/**
 * A closed loop over so many connections for so many milliseconds: the next request goes when the answer is there. It
 * reads of an answer only where it ends, so that the client takes little of the machine.
 */
export async function shoot(port: number, connections: number, ms: number, request: () => string): Promise<Shot> {
  const answers = new Map<number, number>()
  const start = performance.now()
  const end = start + ms
  await Promise.all(Array.from({ length: connections }, () => client(port, end, request, answers)))
  return { answers, seconds: (performance.now() - start) / 1000 }
}

function client(port: number, end: number, request: () => string, answers: Map<number, number>): Promise<void> {
  return new Promise((resolve, reject) => {
    let held: Buffer = Buffer.alloc(0)
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => socket.write(request()))
    socket.on('data', (chunk) => {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      const status = wholeAnswer(held)
      if (status === undefined) return
      held = Buffer.alloc(0)
      answers.set(status, (answers.get(status) ?? 0) + 1)
      if (performance.now() < end) socket.write(request())
      else socket.end()
    })
    socket.once('error', reject)
    socket.once('close', () => resolve())
  })
}

/** The status of an answer that has come to its end. */
function wholeAnswer(bytes: Buffer): number | undefined {
  const headEnd = bytes.indexOf(HEAD_END)
  if (headEnd === -1) return undefined
  const head = bytes.toString('latin1', 0, headEnd).toLowerCase()
  const status = Number(head.slice(9, 12))
  if (status === 304 || status === 204) return status
  const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1]
  const isWhole =
    length === undefined
      ? bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
      : bytes.length >= headEnd + HEAD_END.length + Number(length)
  return isWhole ? status : undefined
}
