/** A call as it is written for a shell or a program. */
export interface HttpCall {
  method?: string
  url: string
  /** `name:password` */
  user?: string | undefined
  fields: Readonly<Record<string, string>>
  body?: string | undefined
}

/** A call as a line for a shell. Every value is in quotes. */
export function formatCurl({ method = 'GET', url, user, fields, body }: HttpCall): string {
  return [
    `curl -si${method === 'GET' ? '' : method === 'HEAD' ? ' -I' : ` -X ${quoted(method)}`}`,
    ...(user === undefined ? [] : [`-u ${quoted(user)}`]),
    ...Object.entries(fields).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${quoted(body)}`]),
    quoted(url),
  ].join(' ')
}

/** A call as a program: `fetch` of browsers and Node.js. */
export function writeFetch({ method = 'GET', url, user, fields, body }: HttpCall): string {
  const headers = [
    ...(user === undefined ? [] : [`    Authorization: 'Basic ' + btoa(${JSON.stringify(user)}),`]),
    ...Object.entries(fields).map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
  ]
  const lines = [
    ...(method === 'GET' ? [] : [`  method: ${JSON.stringify(method)},`]),
    ...(headers.length > 0 ? ['  headers: {', ...headers, '  },'] : []),
    ...(body === undefined ? [] : [`  body: ${JSON.stringify(body)},`]),
  ]
  const options = lines.length > 0 ? `, {\n${lines.join('\n')}\n}` : ''
  return `const response = await fetch(${JSON.stringify(url)}${options})\nconsole.log(response.status, await response.text())`
}

function quoted(text: string): string {
  return /^[\w:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
