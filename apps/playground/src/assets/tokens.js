// Creates a token, shows its parts, and sends it. The token is stored in this page only.

const { element, highlighted, sendRequest, showExchange } = window.svc
const form = document.querySelector('#token-form')
const trial = document.querySelector('#token-try')
const part = (name) => document.querySelector(`#token${name}`)
let token = ''

form.querySelector('button').disabled = false
form.addEventListener('input', async () => {
  const [request] = await showExchange({ request: tokenRequest(), response: { status: 0, headers: {} } })
  // Announced is what was sent, not what is typed.
  part('-exchange').ariaLive = 'off'
  part('-exchange').replaceChildren(request)
})
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  part('-exchange').ariaLive = 'polite'
  const exchange = await sendRequest(tokenRequest())
  part('-exchange').replaceChildren(...(await showExchange(exchange)))
  showToken(exchange.response)
})
trial.addEventListener('submit', async (event) => {
  event.preventDefault()
  const url = new URL(trial.elements.target.value, location.origin)
  // The token goes to this server only.
  if (url.origin !== location.origin) return
  const headers = { Authorization: `Bearer ${token}`, Accept: 'application/json' }
  const exchange = await sendRequest({ target: url.pathname + url.search, headers })
  part('-response').replaceChildren(...(await showExchange(exchange)))
})
document.documentElement.dataset.ready = 'tokens'

function tokenRequest() {
  const values = Object.fromEntries(new FormData(form))
  const body = JSON.stringify({ ...values, lifetimeSeconds: Number(values.lifetimeSeconds) })
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
  return { method: 'POST', target: '/_demo/tokens', headers, body }
}

function showToken({ status, body }) {
  const isCreated = status === 200
  const made = status === 0 ? { message: form.dataset.unanswered } : JSON.parse(body)
  part('-problem').className = isCreated ? '' : 'notice bad'
  part('-problem').textContent = isCreated ? '' : made.message
  part('').hidden = part('-use').hidden = !isCreated
  if (!isCreated) return
  token = made.access_token
  // Header, claims and signature, each in its color.
  const [header, claims, signature] = token.split('.')
  const parts = [element('span', { class: 'l' }, header), '.', element('span', { class: 'k' }, claims), '.']
  part('-text').replaceChildren(...parts, element('span', { class: 's' }, signature))
  part('-claims').replaceChildren(highlighted(JSON.stringify(made.claims), 'application/json'))
  part('-response').replaceChildren()
}
