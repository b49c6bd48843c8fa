// Forms of HAL-FORMS templates and copy buttons. Pages are whole without any of it.

for (const form of document.querySelectorAll('form[data-method]')) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const confirmation = event.submitter?.dataset.confirm
    if (confirmation && !window.confirm(confirmation)) return
    await submit(form)
  })
}

for (const form of document.querySelectorAll('form[data-drop-empty]')) {
  form.addEventListener('formdata', (event) => {
    for (const [name, value] of [...event.formData]) if (value === '') event.formData.delete(name)
  })
}

// Buttons may come later than the page.
document.documentElement.dataset.script = 'on'
document.addEventListener('click', async ({ target }) => {
  const button = target.closest('button[data-copy]')
  if (!button) return
  const source = document.querySelector(button.dataset.copy)
  // Where the address is no secure one there is no clipboard: what is selected can be copied by hand.
  getSelection().selectAllChildren(source)
  if (!navigator.clipboard) return
  await navigator.clipboard.writeText(source.textContent)
  button.textContent = button.dataset.copied
})

// Without a fragment, which would lead to a place on the page and load nothing.
const here = location.pathname + location.search

async function submit(form) {
  const { method, type, ifMatch, stale, reload, unanswered } = form.dataset
  const output = form.querySelector('output')
  const button = form.querySelector('button')
  const headers = { accept: 'application/json' }
  if (ifMatch) headers['if-match'] = ifMatch
  // The key stays the same until the service responds: sent again, it does not happen again.
  if (method === 'POST') headers['idempotency-key'] = form.dataset.key ??= newKey()
  let body
  if (method !== 'DELETE') {
    headers['content-type'] = type
    body = JSON.stringify(valuesOf(form, method))
  }
  button.disabled = true
  const answer = await fetch(form.getAttribute('action'), { method, headers, body }).catch(() => undefined)
  button.disabled = false
  if (!answer) return say(output, 'bad', unanswered)
  // A 502 or 504 of a proxy does not tell what the service has done.
  if (answer.status < 500) delete form.dataset.key
  if (answer.status === 412) return say(output, 'bad', `412 ${stale}`, reload, here)
  if (!answer.ok) {
    const record = await answer.json().catch(() => ({ message: answer.statusText }))
    const details = (record.errors ?? []).map((entry) => `${entry.pointer} ${entry.detail}`)
    return say(output, 'bad', [`${answer.status} ${record.message}`, ...details].join('\n'))
  }
  if (method === 'DELETE') location.assign(location.pathname.replace(/\/[^/]+$/, ''))
  else location.assign(answer.headers.get('location') ?? here)
}

// Not randomUUID, which is there at secure addresses alone.
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function say(output, kind, message, link, href) {
  output.className = `notice ${kind}`
  output.textContent = message
  if (!link) return
  const anchor = document.createElement('a')
  anchor.href = href
  anchor.textContent = link
  output.append(' ', anchor)
}
