import type { Seen } from './judge.ts'

const NO_BODY = [204, 304]

/**
 * Reads the responses of a pipeline, one for each method. Bodies have a Content-Length, or come in
 * chunks.
 */
export class ResponseReader {
  readonly responses: (Seen & { correlationId: string | undefined })[] = []
  /** Whether a response said that the connection ends behind it. */
  isClosed = false
  readonly #methods: readonly string[]
  #rest = Buffer.alloc(0)

  constructor(methods: readonly string[]) {
    this.#methods = methods
  }

  get isDone(): boolean {
    return this.isClosed || this.responses.length === this.#methods.length
  }

  read(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk])
    while (!this.isDone && this.#readOne());
  }

  #readOne(): boolean {
    const end = this.#rest.indexOf('\r\n\r\n')
    if (end === -1) return false
    const head = this.#rest.toString('latin1', 0, end)
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1])
    if (!status) throw new Error(`not a response: ${head.slice(0, 200)}`)
    const start = end + 4
    if (status < 200) {
      this.#rest = this.#rest.subarray(start)
      return true
    }
    const isEmpty = this.#methods[this.responses.length] === 'HEAD' || NO_BODY.includes(status)
    const body = isEmpty ? { bytes: Buffer.alloc(0), end: start } : this.#readBody(head, start)
    if (!body) return false
    this.#rest = this.#rest.subarray(body.end)
    this.responses.push({
      status,
      type: getHeader(head, 'content-type') ?? '',
      body: body.bytes.toString(),
      correlationId: getHeader(head, 'x-correlation-id'),
    })
    this.isClosed = getHeader(head, 'connection') === 'close'
    return true
  }

  #readBody(head: string, start: number): { bytes: Buffer; end: number } | undefined {
    const rest = this.#rest
    if (getHeader(head, 'transfer-encoding') === undefined) {
      const end = start + Number(getHeader(head, 'content-length') ?? 0)
      return rest.length < end ? undefined : { bytes: rest.subarray(start, end), end }
    }
    const chunks: Buffer[] = []
    for (let offset = start; ; ) {
      const lineEnd = rest.indexOf('\r\n', offset)
      if (lineEnd === -1) return undefined
      const size = Number.parseInt(rest.toString('latin1', offset, lineEnd), 16)
      const next = lineEnd + 2 + size + 2
      if (rest.length < next) return undefined
      if (size === 0) return { bytes: Buffer.concat(chunks), end: next }
      chunks.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size))
      offset = next
    }
  }
}

function getHeader(head: string, name: string): string | undefined {
  return new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim()
}
