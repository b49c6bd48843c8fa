// Runs experiments: sends their steps, checks what comes back, shows both.

const { element, highlighted, indented, showExchange, toAddress } = window.svc

const response = await fetch(location.pathname, { headers: { accept: 'application/json' } })
const { experiments } = await response.json()
const texts = document.querySelector('#run-texts').dataset
const byId = new Map(experiments.map((experiment) => [experiment.id, experiment]))
const running = new Map()
// A 429 that asks for a longer time is the result of its step.
const MAX_WAIT_SECONDS = 10

for (const button of document.querySelectorAll('button[data-run]')) {
  button.hidden = false
  button.addEventListener('click', () => run(button.dataset.run))
}

const all = document.querySelector('button[data-run-all]')
if (all) {
  all.hidden = false
  all.addEventListener('click', runAll)
}
document.documentElement.dataset.ready = 'experiments'

async function runAll() {
  const status = document.querySelector('#all-status')
  let good = 0
  let done = 0
  all.disabled = true
  for (const { id, steps } of experiments) {
    if (steps.length === 0) continue
    done++
    if (await run(id)) good++
    status.textContent = texts.progress.replace('{good}', good).replace('{done}', done)
  }
  all.disabled = false
  document.documentElement.dataset.ready = 'all'
}

/** Runs an experiment; while it runs, returns the same run. */
function run(id) {
  if (!running.has(id))
    running.set(
      id,
      runSteps(id).finally(() => running.delete(id)),
    )
  return running.get(id)
}

async function runSteps(id) {
  const section = document.querySelector(`[data-experiment="${CSS.escape(id)}"]`)
  const output = section.querySelector('output')
  const lines = [...section.querySelectorAll('ol > li')]
  for (const shown of section.querySelectorAll('.shown')) shown.remove()
  const values = { run: String(Math.floor(Math.random() * 9e8) + 1e8) }
  const all = []
  const isShort = section.matches('.experiment') && lines.length <= 2
  let isGood = true
  output.className = ''
  output.textContent = '…'
  for (const [at, step] of byId.get(id).steps.entries()) {
    if (step.waitSeconds) await new Promise((resolve) => setTimeout(resolve, 1000 * step.waitSeconds))
    const exchanges = await Promise.all(Array.from({ length: step.times ?? 1 }, () => send(step, values)))
    const problems = problemsOf(step, exchanges, values)
    if (problems.length > 0) isGood = false
    keep(step, exchanges, values)
    all.push(exchanges)
    lines[at].append(await shown(step, exchanges, problems, isShort))
  }
  const view = views[byId.get(id).shows]?.(all)
  if (view) section.append(view)
  output.className = `badge ${isGood ? 'good' : 'bad'}`
  output.textContent = isGood ? texts.asitmustbe : texts.notasitmustbe
  const state = isGood ? 'good' : 'bad'
  section.dataset.state = state
  const dot = document.querySelector(`[data-dot="${CSS.escape(id)}"]`)
  if (dot) dot.dataset.state = state
  return isGood
}

async function send(step, values) {
  const { method = 'GET', as, json, expect } = step
  const headers = Object.fromEntries(
    Object.entries(step.headers ?? {}).map(([name, value]) => [name, fill(value, values)]),
  )
  if (json !== undefined) headers['Content-Type'] ??= 'application/json'
  if (as) headers.Authorization = `Basic ${btoa(`${as}:${as}-demo`)}`
  const text = step.body ?? (json === undefined ? undefined : JSON.stringify(json))
  const body = text === undefined ? undefined : fill(text, values)
  const path = fill(step.path, values)
  const address = toAddress(path)
  // What a browser sends: it drops some headers of scripts, such as Cookie and Via (Fetch §2.2.2).
  const sent = Object.fromEntries(new Request(address, { method, headers }).headers)
  const request = { method, target: path, headers: sent, body }
  const sentAt = performance.now()
  for (let attempt = 0; ; attempt++) {
    try {
      const got = await fetch(address, { method, headers, body, credentials: 'omit', cache: 'no-store' })
      const waitSeconds = Number(got.headers.get('retry-after') ?? 1)
      if (got.status === 429 && attempt < 3 && waitSeconds <= MAX_WAIT_SECONDS && !mayBe(expect.status, 429)) {
        await new Promise((resolve) => setTimeout(resolve, 1000 * waitSeconds))
        continue
      }
      // A browser follows redirects by itself: that there was one is all that can be seen.
      const isRedirect = got.redirected && [301, 302, 308].find((status) => mayBe(expect.status, status))
      const fields = Object.fromEntries(got.headers)
      const text = await got.text()
      const status = isRedirect || got.status
      const times = { sentAt, endedAt: performance.now() }
      return {
        request,
        status,
        reason: isRedirect ? texts.followed : got.statusText,
        headers: fields,
        body: text,
        isRedirect,
        ...times,
      }
    } catch {
      return { request, status: 0, reason: texts.noanswer, headers: {}, body: '', sentAt, endedAt: performance.now() }
    }
  }
}

function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole)
}

function mayBe(expected, status) {
  if (typeof expected === 'number') return expected === status
  return Array.isArray(expected) ? expected.includes(status) : String(status) in expected
}

function problemsOf({ expect }, exchanges, values) {
  const problems = []
  const { status, headers = {}, body } = expect
  if (typeof status === 'object' && !Array.isArray(status)) {
    for (const [code, count] of Object.entries(status)) {
      const got = exchanges.filter((exchange) => String(exchange.status) === code).length
      if (got !== count) problems.push(fill(texts.wrongcount, { got, status: code, count }))
    }
  }
  for (const exchange of exchanges) {
    if (!mayBe(status, exchange.status)) problems.push(fill(texts.wrongstatus, exchange))
    if (exchange.isRedirect) continue
    for (const [name, pattern] of Object.entries(headers)) {
      const value = exchange.headers[name]
      if (pattern === null ? value !== undefined : !matches(pattern, value ?? '', values))
        problems.push(fill(value === undefined ? texts.missingheader : texts.wrongheader, { name, value }))
    }
    if (body === '' ? exchange.body !== '' : body !== undefined && !matches(body, exchange.body, values))
      problems.push(texts.wrongbody)
  }
  return problems
}

function matches(pattern, text, values) {
  const filled = pattern.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? RegExp.escape(values[name]) : whole))
  return new RegExp(filled, 's').test(text)
}

function keep(step, exchanges, values) {
  const first = exchanges.find(({ status }) => status >= 200 && status < 300) ?? exchanges[0]
  for (const [name, from] of Object.entries(step.keep ?? {})) {
    const [kind, where] = from.split(' ')
    values[name] = toPath(kind === 'header' ? (first.headers[where] ?? '') : String(memberOf(first.body, where)))
  }
}

// With a public URL, links and Location are absolute. A page may send requests to its own origin only.
function toPath(text) {
  return /^https?:/.test(text) ? text.slice(new URL(text).origin.length) : text
}

function memberOf(body, pointer) {
  try {
    return pointer
      .split('/')
      .slice(1)
      .reduce((value, name) => value?.[name], JSON.parse(body))
  } catch {
    return undefined
  }
}

async function shown({ expect }, exchanges, problems, isOpen) {
  const badge = element('span', { class: `badge ${problems.length > 0 ? 'bad' : 'good'}` })
  badge.textContent = exchanges.map(({ status }) => status || texts.noanswer).join(' ')
  const summary = element('summary', {}, badge, ` ${problems.join('; ') || told(expect, exchanges[0])}`)
  const details = element('details', { class: 'shown' }, summary)
  details.open = isOpen
  for (const { request, sentAt, endedAt, isRedirect, ...response } of exchanges) {
    const parts = await showExchange({ request, response, ms: endedAt - sentAt })
    details.append(element('div', { class: 'exchange' }, ...parts))
  }
  return details
}

// The part of the response that the step is about.
function told({ headers = {} }, { headers: given, body }) {
  const names = Object.keys(headers).filter((name) => given[name] !== undefined)
  const fields = names.map((name) => `${name}: ${given[name]}`)
  return [...fields, ...(body.length <= 60 ? [body] : [])].join(' · ')
}

const views = { differences, bodies, timeline }

// Two texts side by side, the lines that the other has not marked.
function differences(all) {
  const texts = all.map(([{ body, headers }]) => indented(body, headers['content-type'] ?? ''))
  const panes = texts.map((text, index) => {
    const others = new Set(texts[1 - index].split('\n').map((line) => line.trim()))
    const lines = text
      .split('\n')
      .flatMap((line) => [element(others.has(line.trim()) ? 'span' : 'mark', {}, line), '\n'])
    return element('pre', { tabindex: '0' }, ...lines)
  })
  return element('div', { class: 'shown split' }, ...panes)
}

// Bodies side by side, each under its type.
function bodies(all) {
  const panes = all.map(([{ body, headers }]) => {
    const type = headers['content-type'] ?? ''
    const label = element('p', { class: 'label' }, type)
    return element('div', { class: 'message' }, label, highlighted(body.slice(0, 2000), type))
  })
  return element('div', { class: 'shown split' }, ...panes)
}

const [WIDTH, LANE, TOP, LEFT] = [720, 46, 34, 70]

// Clients as lanes, steps as columns; in each column, requests from when they were sent to when their responses arrived.
function timeline(all) {
  const keyed = all.filter(([{ request }]) => request.headers['idempotency-key'] !== undefined)
  const lanes = Math.max(...keyed.map((exchanges) => exchanges.length))
  const column = (WIDTH - LEFT) / keyed.length
  const height = TOP + lanes * LANE
  const picture = svg('svg', { viewBox: `0 0 ${WIDTH} ${height}`, class: 'timeline', role: 'img' })
  const summary = []
  for (let lane = 0; lane < lanes; lane++) {
    const y = TOP + lane * LANE + 26
    picture.append(svg('text', { x: 0, y: y + 4 }, texts.lane.replace('{name}', lane + 1)))
    picture.append(svg('line', { x1: LEFT, x2: WIDTH, y1: y, y2: y, class: 'lane' }))
  }
  for (const [index, exchanges] of keyed.entries()) {
    const left = LEFT + index * column
    picture.append(svg('text', { x: left + 8, y: 16, class: 'step' }, `${index + 1}`))
    if (index > 0) picture.append(svg('line', { x1: left, x2: left, y1: 4, y2: height, class: 'column' }))
    const first = Math.min(...exchanges.map(({ sentAt }) => sentAt))
    const span = Math.max(...exchanges.map(({ endedAt }) => endedAt)) - first
    for (const [lane, exchange] of exchanges.entries()) {
      const kind = outcomeOf(exchange)
      const ms = Math.round(exchange.endedAt - exchange.sentAt)
      const x1 = left + 8 + ((exchange.sentAt - first) / span) * (column - 70)
      const x2 = Math.max(x1 + 40, left + 8 + ((exchange.endedAt - first) / span) * (column - 24))
      const y = TOP + lane * LANE + 26
      const label = `${exchange.status || texts.noanswer} ${texts[kind]}, ${ms} ms`
      picture.append(
        svg('text', { x: x1, y: y - 8, class: kind }, label),
        svg('line', { x1, x2: x2 - 8, y1: y, y2: y, class: `arrow ${kind}` }),
        svg('path', { d: `M${x2 - 9} ${y - 5}L${x2} ${y}L${x2 - 9} ${y + 5}z`, class: kind }),
        svg('circle', { cx: x1, cy: y, r: 4, class: kind }),
      )
      summary.push(`${texts.lane.replace('{name}', lane + 1)}: ${label}`)
    }
  }
  picture.setAttribute('aria-label', summary.join('; '))
  return element('div', { class: 'shown wide', tabindex: '0' }, picture)
}

// What the server did: it ran the request, repeated a response, let the request wait for one, or rejected it.
function outcomeOf({ status, headers, request, sentAt, endedAt }) {
  if (status === 0 || status >= 400) return 'refused'
  const isReplay = headers['idempotent-replayed'] === 'true'
  if (!isReplay) return 'executed'
  return request.headers.prefer?.startsWith('wait') && endedAt - sentAt > 200 ? 'waited' : 'replayed'
}

function svg(name, attributes, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  made.append(...children)
  return made
}
