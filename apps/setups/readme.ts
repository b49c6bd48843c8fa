/** A request and its response, as a README shows them. */
export interface Exchange {
  method: string
  path: string
  headers: Record<string, string>
  body: string
  status: number
  /** Names of the response's fields. */
  fields: string[]
  /** Names of the members of a JSON body. */
  members: string[]
}

/** The first block of JavaScript in a README. */
export function firstProgram(markdown: string): string {
  return /^```js[^\n]*\n([\s\S]*?)^```/m.exec(markdown)?.[1] ?? ''
}

/** The first request behind it, with its response; `undefined` where a README starts with something else. */
export function firstExchange(markdown: string): Exchange | undefined {
  const http = [...markdown.matchAll(/^```http\n([\s\S]*?)^```/gm)].map(([, text]) => text).join('\n')
  const shown =
    /^([A-Z]+) (\S+) HTTP\/1\.1\n([\s\S]*?)^HTTP\/1\.1 (\d+)[^\n]*\n([\s\S]*?)(?=^[A-Z]+ \S+ HTTP|^HTTP\/|(?![\s\S]))/m
  const [, method = '', path = '', request = '', status, response = ''] = shown.exec(http) ?? []
  if (!status) return undefined
  const sent = messageOf(request)
  const received = messageOf(response)
  const json = /^\{.*\}$/s.test(received.body) ? (JSON.parse(received.body) as object) : {}
  const fields = Object.keys(received.headers)
  return { method, path, ...sent, status: Number(status), fields, members: Object.keys(json) }
}

function messageOf(text: string): { headers: Record<string, string>; body: string } {
  const [head = '', ...body] = text.split(/\n\n/)
  const lines = head.split('\n').filter((line) => line.includes(': '))
  const headers = Object.fromEntries(lines.map((line) => [line.replace(/:.*/, ''), line.replace(/^[^:]*: /, '')]))
  return { headers, body: body.join('\n\n').trim() }
}
