// Weighs while sliders move: the page for the new weights has the new outcome and the headers that lead to it.

const weights = document.querySelector('#weights')
const { unmentioned, unanswered } = weights.dataset
let latest = 0

weights.querySelector('button').hidden = true
weights.addEventListener('input', async ({ target }) => {
  showWeight(target)
  const turn = ++latest
  await new Promise((resolve) => setTimeout(resolve, 60))
  if (turn !== latest) return
  const address = `${weights.getAttribute('action')}?${new URLSearchParams(new FormData(weights))}`
  const response = await fetch(address, { headers: { accept: 'text/html' } }).catch(() => undefined)
  const text = response?.ok ? await response.text() : ''
  if (turn !== latest) return
  if (text === '') {
    const verdict = document.getElementById('verdict')
    verdict.className = 'notice bad'
    verdict.textContent = response?.status ?? unanswered
    return
  }
  const page = new DOMParser().parseFromString(text, 'text/html')
  for (const id of ['verdict', 'outcome', 'reasons']) replace(document.getElementById(id), page.getElementById(id))
  for (const input of document.querySelectorAll('#fields label input'))
    input.value = page.querySelector(`#fields [name="${input.name}"]`).value
  history.replaceState(null, '', address)
})
document.documentElement.dataset.ready = 'negotiation'

// Left of 0 an offer is not mentioned.
function showWeight(slider) {
  const isMentioned = Number(slider.value) >= 0
  slider.nextElementSibling.value = isMentioned ? slider.value : '–'
  if (isMentioned) slider.removeAttribute('aria-valuetext')
  else slider.setAttribute('aria-valuetext', unmentioned)
}

// The element stays, so that screen readers notice what changes in it.
function replace(element, other) {
  element.className = other.className
  element.replaceChildren(...other.childNodes)
}
