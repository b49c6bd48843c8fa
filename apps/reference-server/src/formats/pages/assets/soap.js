// Fills in the messages of a SOAP service with forms, sends them, and shows what comes back.

const { element, sendRequest, showExchange } = window.svc
const user = document.querySelector('#soap-user')

for (const form of document.querySelectorAll('form[data-soap]')) {
  const message = form.querySelector('textarea')
  const controls = form.querySelector('fieldset')
  message.addEventListener('input', () => showControls(controls, message))
  showControls(controls, message)
  const button = form.querySelector('button')
  button.disabled = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const headers = { 'Content-Type': 'application/soap+xml; charset=utf-8' }
    const name = user?.value
    if (name) headers.Authorization = `Basic ${btoa(`${name}:${name}-demo`)}`
    const credentials = user ? 'omit' : 'same-origin'
    const target = location.pathname
    button.disabled = true
    const exchange = await sendRequest({ method: 'POST', target, headers, body: message.value, credentials })
    button.disabled = false
    form.querySelector('.exchange').replaceChildren(...(await showExchange(exchange)))
  })
}
document.documentElement.dataset.ready = 'soap'

// One control for each element of header and body that holds text. A control changes the message, and the message the controls.
function showControls(controls, message) {
  const envelope = new DOMParser().parseFromString(message.value, 'application/xml')
  const texts = [...envelope.querySelectorAll('Header *, Body *')].filter(
    ({ childElementCount }) => childElementCount === 0,
  )
  const isBroken = envelope.querySelector('parsererror') !== null
  controls.hidden = isBroken || texts.length === 0
  if (isBroken) return
  const rows = texts.map((text) => {
    const input = element('input', { value: text.textContent, autocomplete: 'off' })
    input.addEventListener('input', () => {
      text.textContent = input.value
      message.value = new XMLSerializer().serializeToString(envelope)
    })
    return element('label', {}, text.localName, input)
  })
  controls.replaceChildren(controls.querySelector('legend'), ...rows)
}
