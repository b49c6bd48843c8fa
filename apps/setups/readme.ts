/** A message of HTTP, as a README shows it. */
export interface Message {
  /** Request line or status line. */
  start: string
  /** Values by the names of the fields, as they are written. */
  fields: ReadonlyMap<string, string>
  body: string
}

/** A response that a README shows, and its request: `GET /` if it shows none. */
export interface Exchange {
  request: Message
  response: Message
}

/** The first block of JavaScript in a README. */
export function firstProgram(markdown: string): string {
  return /^```js[^\n]*\n([\s\S]*?)^```/m.exec(markdown)?.[1] ?? ''
}

/** Every response in the blocks `http` of a README, with its request. */
export function readExchanges(markdown: string): Exchange[] {
  const blocks = [...markdown.matchAll(/^```http\n([\s\S]*?)^```/gm)].map(([, text = '']) => text)
  const messages = blocks
    .flatMap((text) => text.split(/^(?=[A-Z]+ \/\S* HTTP\/1\.1$|HTTP\/1\.1 \d)/m))
    .map(parseMessage)
  return messages.flatMap((response, index) => {
    if (!response.start.startsWith('HTTP/')) return []
    const before = messages[index - 1]
    return { request: before && !before.start.startsWith('HTTP/') ? before : plain, response }
  })
}

/** The commands in the blocks `sh` of a document, one a line, each with what its comment says. */
export function readCommands(markdown: string): { command: string; comment: string }[] {
  const blocks = [...markdown.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, text = '']) => text)
  const lines = blocks.flatMap((text) => text.replace(/\\\n\s*/g, '').split('\n')).filter((line) => /^[a-z]/.test(line))
  return lines.map((line) => {
    const [command = '', comment = ''] = line.split(/\s+# /)
    return { command: command.trim(), comment }
  })
}

const plain: Message = { start: 'GET / HTTP/1.1', fields: new Map(), body: '' }

function parseMessage(text: string): Message {
  const [head = '', ...body] = text.trim().split('\n\n')
  const [start = '', ...lines] = head.split('\n')
  const fields = lines.map((line) => [line.replace(/:.*/, ''), line.replace(/^[^:]*: /, '')] as const)
  return { start, fields: new Map(fields), body: body.join('\n\n') }
}
