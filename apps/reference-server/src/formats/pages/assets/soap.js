// Sends the messages of a SOAP service, and shows what comes back.

const user = document.querySelector('#soap-user')

for (const form of document.querySelectorAll('form[data-soap]')) {
  form.querySelector('button').disabled = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const headers = { 'content-type': 'application/soap+xml; charset=utf-8' }
    const name = user?.value
    if (name) headers.authorization = `Basic ${btoa(`${name}:${name}-demo`)}`
    const body = form.querySelector('textarea').value
    const credentials = user ? 'omit' : 'same-origin'
    const answer = await fetch(location.pathname, { method: 'POST', headers, body, credentials })
    const shown = form.querySelector('pre')
    const type = answer.headers.get('content-type')
    shown.hidden = false
    shown.textContent = [
      `HTTP/1.1 ${answer.status}`,
      type && `content-type: ${type}`,
      '',
      indented(await answer.text()),
    ]
      .filter((line) => line !== null)
      .join('\n')
  })
}
document.documentElement.dataset.ready = 'soap'

function indented(xml) {
  let depth = 0
  return xml
    .replace(/>\s*</g, '>\n<')
    .split('\n')
    .map((line) => {
      if (line.startsWith('</')) depth--
      const text = '  '.repeat(Math.max(depth, 0)) + line
      if (/^<[^?!/]/.test(line) && !/\/>$/.test(line) && !/<\//.test(line)) depth++
      return text
    })
    .join('\n')
}
