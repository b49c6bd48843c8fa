// Adds each exchange to the log when it happens.

const list = document.querySelector('#requests')
const { nobody, broken, correlation } = list.dataset
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
  list.prepend(view(JSON.parse(data)))
  while (list.children.length > 200) list.lastElementChild.remove()
})

function view({ time, method, target, status, ms, user, correlationId, request, response }) {
  const kind = status >= 500 || status === 0 ? 'bad' : status >= 400 ? 'warn' : 'good'
  const summary = element('summary', {}, [
    element('span', { className: `badge ${kind}` }, [status || broken]),
    ' ',
    element('code', {}, [`${method} ${target}`]),
    ' ',
    element('span', { className: 'quiet' }, [
      element('time', { dateTime: time }, [time.slice(11, 19)]),
      ` · ${ms} ms · ${user ?? nobody}`,
    ]),
  ])
  const text = [`${method} ${target}`, ...lines(request), '', status, ...lines(response)].join('\n')
  const link = element('a', { href: `/_demo/requests?id=${encodeURIComponent(correlationId)}` }, [correlationId])
  const id = element('p', { className: 'quiet' }, [`${correlation} `, link])
  return element('details', { className: 'request' }, [summary, element('pre', { tabIndex: 0 }, [text]), id])
}

function element(name, properties, children) {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children.map((child) => (child instanceof Node ? child : String(child))))
  return made
}

function lines(fields) {
  return Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
}
