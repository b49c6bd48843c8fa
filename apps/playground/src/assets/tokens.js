// Makes a token, shows what it says, and tries it. The token is kept in this page alone.

const form = document.querySelector('#token-form')
const problem = document.querySelector('#token-problem')
const part = (name) => document.querySelector(`#token${name}`)
let token = ''

form.querySelector('button').disabled = false
document.documentElement.dataset.ready = 'tokens'

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const values = Object.fromEntries(new FormData(form))
  const body = JSON.stringify({ ...values, lifetimeSeconds: Number(values.lifetimeSeconds) })
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const answer = await fetch('/_demo/tokens', { method: 'POST', headers, body })
  const made = await answer.json()
  problem.className = answer.ok ? '' : 'notice bad'
  problem.textContent = answer.ok ? '' : made.message
  part('').hidden = !answer.ok
  if (!answer.ok) return
  token = made.access_token
  part('-text').textContent = token
  part('-claims').textContent = JSON.stringify(made.claims, null, 2)
  part('-answer').hidden = true
})

part('-try').addEventListener('click', async () => {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  const answer = await fetch(part('-path').value, { headers, credentials: 'omit', cache: 'no-store' })
  const challenge = answer.headers.get('www-authenticate')
  const lines = [`HTTP/1.1 ${answer.status}`]
  if (challenge) lines.push(`www-authenticate: ${challenge}`)
  part('-answer').hidden = false
  part('-answer').textContent = [...lines, '', JSON.stringify(await answer.json(), null, 2)].join('\n')
})
