// A browser for HAL-FORMS: shows the links, the forms and the embedded resources of what it loads.

const { element, sendRequest, showExchange, showField, valuesOf } = window.svc
const bar = document.querySelector('#hal')
const words = bar.dataset
const resource = document.querySelector('#hal-resource')
const exchanges = document.querySelector('#hal-exchange')
let latest = 0

bar.querySelector('button').disabled = false
bar.addEventListener('submit', (event) => {
  event.preventDefault()
  follow(bar.elements.target.value)
})
document.addEventListener('click', (event) => {
  const link = event.target.closest('a[data-follow]')
  if (!link) return
  event.preventDefault()
  follow(link.getAttribute('href'))
})
await follow(bar.elements.target.value)
document.documentElement.dataset.ready = 'hal'

// Only paths of this server: credentials go nowhere else.
function toPath(href) {
  const url = new URL(href, location.origin)
  return url.origin === location.origin ? url.pathname + url.search : undefined
}

// The messages that led here stay above those of the request.
async function follow(href, earlier = []) {
  const target = toPath(href)
  if (target === undefined) return
  bar.elements.target.value = target
  const document = await send({ target }, earlier)
  if (document) show(document, target)
}

async function send({ method = 'GET', target, headers = {}, body }, earlier = []) {
  const user = bar.elements.user.value
  const login = user ? { Authorization: `Basic ${btoa(`${user}:${user}-demo`)}` } : {}
  const turn = ++latest
  const exchange = await sendRequest({ method, target, headers: { Accept: words.type, ...login, ...headers }, body })
  const messages = [...earlier, ...(await showExchange(exchange))]
  if (turn !== latest) return undefined
  exchanges.replaceChildren(...messages)
  const { response } = exchange
  const type = response.headers['content-type'] ?? ''
  const { location: created } = response.headers
  if (created && response.status === 201) return await follow(created, messages), undefined
  if (response.status === 204) return resource.replaceChildren(element('p', {}, words.none)), undefined
  if (response.status < 300 && type.includes('json')) return JSON.parse(response.body)
  // After an error, a form stays for another try; what was shown is not what is at the new path.
  if (method === 'GET') resource.replaceChildren()
  return undefined
}

function show(document, target) {
  resource.replaceChildren(...linksOf(document), ...formsOf(document, target), ...embeddedOf(document))
}

function linksOf({ _links = {} }) {
  const rows = Object.entries(_links).flatMap(([relation, value]) =>
    [value].flat().map((link) => element('li', {}, element('code', {}, relation), ' ', linkOf(link))),
  )
  return rows.length > 0 ? [element('h2', {}, words.links), element('ul', { class: 'relations' }, ...rows)] : []
}

function linkOf({ href, templated }) {
  return templated ? templateForm(href) : element('a', { href, 'data-follow': '' }, href)
}

// A URI template with one control for each of its variables.
function templateForm(template) {
  const names = [...template.matchAll(/\{[?&]?([^}]*)\}/g)].flatMap(([, list]) => list.split(','))
  const inputs = names.map((name) => element('label', {}, name, ' ', element('input', { name, size: '6' })))
  const button = element('button', { class: 'small plain' }, words.send)
  const form = element('form', { class: 'template' }, element('code', {}, template), ...inputs, button)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    follow(expand(template, Object.fromEntries(new FormData(form))))
  })
  return form
}

function expand(template, values) {
  return template.replace(/\{([?&]?)([^}]*)\}/g, (_, operator, list) => {
    const pairs = list.split(',').filter((name) => values[name])
    if (operator === '') return encodeURIComponent(values[list] ?? '')
    const query = pairs.map((name) => `${name}=${encodeURIComponent(values[name])}`).join('&')
    return query && operator + query
  })
}

function formsOf(document, target) {
  const forms = Object.entries(document._templates ?? {}).map(([name, template]) =>
    templateView(name, template, document, target),
  )
  return forms.length > 0 ? [element('h2', {}, words.forms), ...forms] : []
}

function templateView(name, template, document, target) {
  const method = (template.method ?? 'GET').toUpperCase()
  const properties = template.properties ?? []
  const isUpdate = method === 'PUT' || method === 'PATCH'
  const controls = properties.map((property) =>
    showField(name, property, isUpdate ? document[property.name] : undefined),
  )
  const title = element('summary', {}, template.title ?? name, ' ', element('span', { class: 'methods' }, method))
  const button = element('button', {}, words.send)
  const form = element('form', { class: 'form' }, ...controls, element('span', {}, button))
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const headers = { 'Content-Type': template.contentType ?? 'application/json' }
    if (method === 'POST') headers['Idempotency-Key'] = `"${crypto.getRandomValues(new Uint32Array(4)).join('-')}"`
    const body = method === 'DELETE' ? undefined : JSON.stringify(valuesOf(form, method))
    const changed = await send({ method, target: toPath(template.target ?? target) ?? target, headers, body })
    if (changed) show(changed, target)
  })
  const details = element('details', {}, title, form)
  details.open = properties.length > 0
  return details
}

function embeddedOf({ _embedded = {} }) {
  return Object.entries(_embedded).flatMap(([name, value]) => {
    const items = [value].flat().map((item) => {
      const href = item._links?.self?.href
      const fields = Object.entries(item).filter(([field, of]) => !field.startsWith('_') && typeof of !== 'object')
      const text = fields.slice(0, 4).map(([field, of]) => `${field} ${of}`)
      const label = text.join(' · ')
      return element('li', {}, href ? element('a', { href, 'data-follow': '' }, label) : label)
    })
    return [element('h2', {}, `${words.embedded} ${name}`), element('ul', { class: 'relations' }, ...items)]
  })
}
