// Two clients that send requests to a limited path, and show what the headers of the responses say.

const { element, sendRequest, showExchange } = window.svc
const session = Math.random().toString(36).slice(2, 10)
const { burst, back } = document.querySelector('#clients').dataset
const policies = document.querySelector('#policies')
const currentPolicy = () => policies.elements.policy.value
const clients = [...document.querySelectorAll('[data-client]')]

for (const client of clients) {
  for (const button of client.querySelectorAll('button[data-send]')) {
    button.disabled = false
    button.addEventListener('click', () => sendMany(client, Number(button.dataset.send)))
  }
}

policies.addEventListener('change', () => {
  for (const client of clients) {
    client.querySelector('.statuses').replaceChildren()
    show(client, burst, 0)
    client.querySelector('[data-fields]').hidden = true
  }
})
document.documentElement.dataset.ready = 'ratelimit'

async function sendMany(client, count) {
  const policy = currentPolicy()
  if (policy !== 'concurrency') {
    for (let sent = 0; sent < count && policy === currentPolicy(); sent++) await send(client, policy)
    return
  }
  // Calls that take a while share the limit only if they overlap. Afterward every unit has been returned.
  await Promise.all(Array.from({ length: count }, () => send(client, policy)))
  if (policy === currentPolicy()) show(client, burst, 0)
}

async function send(client, policy) {
  const query = new URLSearchParams({ policy, client: `${session}-${client.dataset.client}` })
  const exchange = await sendRequest({
    target: `/play/ratelimit/calls?${query}`,
    headers: { Accept: 'application/json' },
  })
  const messages = await showExchange(exchange)
  if (policy !== currentPolicy()) return
  const { status, headers } = exchange.response
  const tone = status > 0 && status < 400 ? 'good' : 'bad'
  client.querySelector('.statuses').append(element('li', { class: `badge ${tone}` }, `${status || '–'}`))
  const shown = client.querySelector('[data-fields]')
  shown.hidden = false
  shown.replaceChildren(...messages)
  if (headers['x-ratelimit-remaining'] === undefined) return
  const reset = Number(headers['x-ratelimit-reset']) * 1000
  const wait = Number(headers['retry-after'] ?? 0) * 1000
  show(client, Number(headers['x-ratelimit-remaining']), Math.max(reset, Date.now() + wait))
}

// After the last unit is back there is nothing to ask: the meter is full again.
function show(client, left, until) {
  client.querySelector('meter').value = left
  client.querySelector('[data-left]').textContent = left
  const place = client.querySelector('[data-reset]')
  clearInterval(Number(client.dataset.timer))
  const tick = () => {
    const seconds = Math.ceil((until - Date.now()) / 1000)
    place.textContent = seconds > 0 ? `, ${back.replace('{seconds}', seconds)}` : ''
    if (seconds > 0) return
    clearInterval(Number(client.dataset.timer))
    client.querySelector('meter').value = burst
    client.querySelector('[data-left]').textContent = burst
  }
  client.dataset.timer = setInterval(tick, 250)
  tick()
}
