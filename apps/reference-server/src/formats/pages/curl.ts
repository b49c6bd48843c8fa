/** A call as it is written for a shell. */
export interface CurlCall {
  method?: string
  url: string
  /** `name:password` */
  user?: string | undefined
  fields: Readonly<Record<string, string>>
  body?: string | undefined
}

/** A call as a line for a shell: whatever comes from outside stands in quotes. */
export function curlOf({ method = 'GET', url, user, fields, body }: CurlCall): string {
  return [
    `curl -si${method === 'GET' ? '' : method === 'HEAD' ? ' -I' : ` -X ${quoted(method)}`}`,
    ...(user === undefined ? [] : [`-u ${quoted(user)}`]),
    ...Object.entries(fields).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${quoted(body)}`]),
    quoted(url),
  ].join(' ')
}

function quoted(text: string): string {
  return /^[\w:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
