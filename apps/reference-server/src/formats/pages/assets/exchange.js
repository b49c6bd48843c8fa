// Shows requests and responses as the server does, and sends the request of a page again.

let loading

const NO_LABELS = {
  notes: {},
  groups: { other: 'HTTP' },
  words: { request: 'HTTP', response: 'HTTP', milliseconds: '{count} ms', byteCount: '{count} B' },
}

/** Returns the notes on headers, the names of their groups and the words around them. */
async function loadLabels() {
  try {
    loading ??= fetch(document.body.dataset.notes).then((response) => response.json())
    return await loading
  } catch {
    loading = undefined
    return NO_LABELS
  }
}

/** Returns an element with children; strings are text. */
function element(name, attributes, ...children) {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  made.append(...children)
  return made
}

/** Returns a `pre` with the parts of JSON and XML marked. */
function highlighted(body, type) {
  const parts = tokenize(indented(body, type), type)
  const nodes = parts.map(([kind, part]) => (kind === '' ? part : element('span', { class: kind }, part)))
  return element('pre', { class: 'body', tabindex: '0' }, ...nodes)
}

/** Returns JSON and XML with line breaks. */
function indented(body, type) {
  if (/json/.test(type)) {
    try {
      return JSON.stringify(JSON.parse(body), null, 2)
    } catch {
      return body
    }
  }
  if (!/xml/.test(type)) return body
  let depth = 0
  return body
    .replace(/>\s*</g, '>\n<')
    .split('\n')
    .map((line) => {
      if (line.startsWith('</')) depth--
      const text = '  '.repeat(Math.max(depth, 0)) + line
      if (/^<[^?!/]/.test(line) && !line.endsWith('/>') && !line.includes('</')) depth++
      return text
    })
    .join('\n')
}

const MAX_SHOWN = 40_000

function shownBody(body, type) {
  if (body === undefined || body === '') return undefined
  return highlighted(body.length > MAX_SHOWN ? `${body.slice(0, MAX_SHOWN)}…` : body, type)
}

/** Returns the request and the response of an exchange, each as an element. */
async function showExchange({ request, response, ms }) {
  const labels = await loadLabels()
  const { method, target, headers, body } = request
  const { authorization, Authorization = authorization } = headers
  const sent =
    Authorization === undefined ? headers : { ...headers, Authorization: Authorization.replace(/ .*/, ' ***') }
  const size = new TextEncoder().encode(response.body ?? '').length
  const notes = [
    ...(ms === undefined ? [] : [labels.words.milliseconds.replace('{count}', Math.round(ms))]),
    ...(size > 0
      ? [labels.words.byteCount.replace('{count}', size.toLocaleString(document.documentElement.lang))]
      : []),
  ]
  const type = headers['Content-Type'] ?? headers['content-type'] ?? ''
  const received = { reason: '', ...response, notes }
  return [
    requestMessage(element, { method, target, headers: sent }, labels, shownBody(body, type)),
    responseMessage(element, received, labels, shownBody(response.body, response.headers['content-type'] ?? '')),
  ]
}

// The path of the public URL, which a proxy removes.
const { base = '' } = document.body.dataset

/** Returns the address of a path of the service. Other URLs, and addresses of paths, stay. */
function toAddress(path) {
  return path.startsWith('/') && !path.startsWith(`${base}/`) ? base + path : path
}

/** Sends a request, and returns it with its response. The status is 0 if there was none. */
async function sendRequest({ method = 'GET', target, headers, body, credentials = 'omit' }) {
  const startedAt = performance.now()
  const response = await fetch(toAddress(target), { method, headers, body, credentials, cache: 'no-store' })
    .then(readResponse)
    .catch(() => ({ status: 0, headers: {}, blob: new Blob() }))
  return { request: { method, target, headers, body }, response, ms: performance.now() - startedAt }
}

async function readResponse(answer) {
  const content = await answer.blob()
  const isText = /^text|json|xml|form-/.test(answer.headers.get('content-type') ?? '')
  return {
    status: answer.status,
    reason: answer.statusText,
    headers: Object.fromEntries(answer.headers),
    body: isText ? await content.text() : undefined,
    blob: content,
  }
}

const showField = (...property) => formField(element, ...property)

window.svc = { element, highlighted, indented, sendRequest, showExchange, showField, toAddress, valuesOf }

const again = document.querySelector('.again')
let clicks = 0
again?.addEventListener('click', async ({ target: button }) => {
  const { again: choice } = button.dataset
  if (choice === undefined) return
  const isPressed = button.getAttribute('aria-pressed') === 'true'
  for (const other of again.querySelectorAll(`[data-again="${choice}"]`)) other.setAttribute('aria-pressed', 'false')
  if (!isPressed) button.setAttribute('aria-pressed', 'true')
  const chosen = Object.fromEntries(
    [...again.querySelectorAll('[aria-pressed="true"]')].map(({ dataset }) => [dataset.again, dataset.value]),
  )
  const headers = { Accept: chosen.accept ?? 'application/hal+json' }
  if (chosen.version) headers['API-Version'] = chosen.version
  // Empty: not logged in.
  const login = chosen.user && `${chosen.user}:${chosen.user}-demo`
  if (login) headers.Authorization = `Basic ${btoa(login)}`
  const path = location.pathname.slice(base.length)
  const target = (chosen.version ? path.replace(/^\/v\d+(?=\/|$)/, '') || '/' : path) + location.search
  const credentials = chosen.user === undefined ? 'same-origin' : 'omit'
  const click = ++clicks
  const exchange = await sendRequest({ target, headers, credentials })
  const place = document.querySelector('.exchange')
  const [request, response] = await showExchange(exchange)
  // The buttons say what another click has requested since.
  if (click !== clicks) return
  const { blob, headers: received } = exchange.response
  if (/^image\//.test(received['content-type']))
    response.append(element('img', { class: 'picture', alt: '', src: URL.createObjectURL(blob) }))
  else if (exchange.response.body === undefined && blob.size > 0)
    response.append(element('p', {}, element('a', { href: URL.createObjectURL(blob) }, received['content-type'])))
  place.querySelector('[data-message="request"]').replaceWith(request)
  place.querySelector('[data-message="response"]').replaceWith(response)
  showCalls(target, headers, login ?? again.dataset.login)
})

function showCalls(target, { Authorization, ...fields }, login) {
  const call = { url: location.origin + toAddress(target), user: login || undefined, fields }
  document.querySelector('#curl-line').textContent = formatCurl(call)
  document.querySelector('#fetch-line').textContent = formatFetch(call)
}
