// Weighs while the weights are moved: the page for the new weights has the new outcome and the fields that say so.

const weights = document.querySelector('#weights')
let latest = 0

weights.querySelector('button').hidden = true
weights.addEventListener('input', async ({ target }) => {
  delete target.dataset.implicit
  target.nextElementSibling.value = target.value
  const turn = ++latest
  await new Promise((resolve) => setTimeout(resolve, 60))
  if (turn !== latest) return
  const said = [...weights.querySelectorAll('input:not([data-implicit])')].map(({ name, value }) => [name, value])
  const address = `${weights.getAttribute('action')}?${new URLSearchParams(said)}`
  const answer = await fetch(address, { headers: { accept: 'text/html' } })
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  if (turn !== latest || !answer.ok) return
  document.querySelector('#outcome').replaceChildren(...page.querySelector('#outcome').childNodes)
  for (const input of document.querySelectorAll('#fields label input'))
    input.value = page.querySelector(`#fields [name="${input.name}"]`).value
  history.replaceState(null, '', address)
})
document.documentElement.dataset.ready = 'negotiation'
