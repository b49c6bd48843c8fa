// Adds each exchange to the log when it happens, as the server shows it.

const list = document.querySelector('#requests')
const live = document.querySelector('#live')
const events = new EventSource(list.dataset.events)

events.addEventListener('open', () => {
  live.hidden = false
  document.documentElement.dataset.ready = 'requests'
})
events.addEventListener('error', () => {
  live.hidden = true
})
events.addEventListener('message', ({ data }) => {
  document.querySelector('#no-requests').hidden = true
  list.insertAdjacentHTML('afterbegin', data)
  while (list.children.length > Number(list.dataset.kept)) list.lastElementChild.remove()
})
