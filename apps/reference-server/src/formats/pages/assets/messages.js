// Renders requests, responses and calls. The server and the scripts of pages use this one file, each
// with its own function `create(name, attributes, ...children)`.

/** Returns the class of a status: good, warn for client errors, bad for server errors or none. */
export function toTone(status) {
  if (status >= 500 || status === 0) return 'bad'
  return status >= 400 ? 'warn' : 'good'
}

/** A method, in the color of its kind. */
export function methodTag(create, method) {
  return create('span', { class: `method ${method.toLowerCase()}` }, method)
}

/** The start line and the headers of a request, and its body. */
export function requestMessage(create, { method, target, headers }, labels, body = '') {
  const line = [methodTag(create, method), ' ', create('code', {}, target)]
  return message(create, { kind: 'request', line, headers, labels }, body)
}

/** The status line and the headers of a response, with notes on time and size, and its body. */
export function responseMessage(create, { status, reason, headers, notes }, labels, body = '') {
  const badge = create('span', { class: `badge ${toTone(status)}` }, String(status || '–'))
  const phrase = create('span', { lang: 'en' }, reason)
  const line = [badge, ' ', phrase, ' ', create('span', { class: 'quiet' }, notes.join(' · '))]
  return message(create, { kind: 'response', line, headers, labels }, body)
}

function message(create, { kind, line, headers, labels }, body) {
  const heading = create('p', { class: 'label' }, labels.words[kind])
  const groups = headerGroups(create, headers, labels)
  const start = create('p', { class: 'start' }, ...line)
  return create('section', { class: 'message', 'data-message': kind }, heading, start, ...groups, body)
}

function headerGroups(create, headers, { notes, groups }) {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  const noteOn = (name) => (Object.hasOwn(notes, name) ? notes[name] : ['other'])
  return Object.entries(groups).flatMap(([group, label]) => {
    const rows = entries.filter(([name]) => noteOn(name)[0] === group)
    if (rows.length === 0) return []
    const list = rows.map(([name, value]) => headerRow(create, name, value, noteOn(name)[1]))
    const shown = create('dl', { class: 'headers' }, ...list)
    if (group !== 'other') return [create('p', { class: 'group' }, label), shown]
    const summary = create('summary', {}, `${label} `, create('span', { class: 'quiet' }, String(rows.length)))
    return [create('details', { class: 'others' }, summary, shown)]
  })
}

function headerRow(create, name, value, note) {
  const tip = note && create('span', { class: 'tip' }, note)
  const term = tip ? create('span', { class: 'term', tabindex: '0' }, name, tip) : name
  return create('div', {}, create('dt', {}, term), create('dd', {}, value))
}

/** Formats a call as a line for a shell. Every value is in quotes. */
export function formatCurl({ method = 'GET', url, user, fields, body }) {
  // Without -g, curl expands brackets, such as those of a filter.
  const flags = /[[\]{}]/.test(url) ? '-gsi' : '-si'
  const verb = method === 'HEAD' ? '-I' : `-X ${quoted(method)}`
  return [
    `curl ${flags}`,
    ...(method === 'GET' ? [] : [verb]),
    ...(user === undefined ? [] : [`-u ${quoted(user)}`]),
    ...Object.entries(fields).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${quoted(body)}`]),
    quoted(url),
  ].join(' ')
}

/** Formats a call as a program that uses `fetch`. */
export function formatFetch({ method = 'GET', url, user, fields, body }) {
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

function quoted(text) {
  return /^[\w:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
