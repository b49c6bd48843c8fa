import type { TextKey } from './texts.ts'

/** A call for a shell or a program. */
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

/** Formats a call as a program that uses `fetch`. */
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

/** A call to try: a shell line and the response that it gets. */
export interface Example {
  says: TextKey
  path: string
  /** Arguments of curl after the URL, each in the quotes that a shell needs. */
  arguments: string
  status: number
}

const ADA = '-u ada:ada-demo'
const JSON_TYPE = "-H 'Content-Type: application/json'"

const CREATE = `${ADA} ${JSON_TYPE} -d '{"name":"Grace Hopper","department":"Engineering","salary":5000}'`

/** The calls that the startup banner shows. Tests run each of them. */
export const examples: readonly Example[] = [
  { says: 'example.page', path: '/employees?size=2', arguments: ADA, status: 200 },
  { says: 'example.xml', path: '/employees/1', arguments: `${ADA} -H 'Accept: application/xml'`, status: 200 },
  { says: 'example.create', path: '/employees', arguments: CREATE, status: 201 },
  { says: 'example.order', path: '/orders/3', arguments: `${ADA} -H 'Accept: application/hal+json'`, status: 200 },
  { says: 'example.token', path: '/tokens', arguments: `${ADA} -d grant_type=client_credentials`, status: 200 },
  { says: 'example.error', path: '/employees/999', arguments: ADA, status: 404 },
]

export function curlLine({ path, arguments: rest }: Example, url: string, flags = '-s'): string {
  return `curl ${flags} '${url}${path}' ${rest}`
}
