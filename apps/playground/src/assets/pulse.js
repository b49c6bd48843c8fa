// Keeps the numbers of the first page current while the page is visible.

const EVERY_MS = 6000
const timer = setInterval(refresh, EVERY_MS)

async function refresh() {
  if (document.hidden) return
  const pulse = document.querySelector('#pulse')
  const response = await fetch(pulse.dataset.source, { headers: { accept: 'text/html' } }).catch(() => undefined)
  if (!response) return
  // Only the host that runs the server may see it.
  if (!response.ok) return clearInterval(timer)
  pulse.outerHTML = await response.text()
  document.documentElement.dataset.ready = 'pulse'
}
