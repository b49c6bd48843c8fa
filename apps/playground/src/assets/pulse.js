// Keeps the numbers of the first page current while the page is visible.

const EVERY_MS = 6000
const timer = setInterval(refresh, EVERY_MS)

async function refresh() {
  const pulse = document.querySelector('#pulse')
  // Replacing a link that has the focus would lose it.
  if (document.hidden || pulse.contains(document.activeElement)) return
  const response = await fetch(pulse.dataset.source, { headers: { accept: 'text/html' } }).catch(() => undefined)
  // Only the host that runs the server may see it.
  if (response?.status === 403) return clearInterval(timer)
  if (!response?.ok) return
  pulse.outerHTML = await response.text()
  document.documentElement.dataset.ready = 'pulse'
}
