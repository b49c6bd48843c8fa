// Sends operations from the pages of the API reference.

const { sendRequest, showExchange } = window.svc
const users = document.querySelector('#docs-user')

for (const form of document.querySelectorAll('form[data-try]')) {
  const button = form.querySelector('button')
  button.disabled = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const { try: method, type } = form.dataset
    const { target, body } = form.elements
    const url = new URL(target.value, location.origin)
    if (url.origin !== location.origin) return
    const headers = { Accept: 'application/json' }
    if (body) headers['Content-Type'] = type
    if (method === 'POST') headers['Idempotency-Key'] = `"${crypto.getRandomValues(new Uint32Array(4)).join('-')}"`
    if (users?.value) headers.Authorization = `Basic ${btoa(`${users.value}:${users.value}-demo`)}`
    const credentials = users ? 'omit' : 'same-origin'
    button.disabled = true
    const exchange = await sendRequest({
      method,
      target: url.pathname + url.search,
      headers,
      body: body?.value,
      credentials,
    })
    button.disabled = false
    form.querySelector('.stack').replaceChildren(...(await showExchange(exchange)))
  })
}
document.documentElement.dataset.ready = 'docs'
