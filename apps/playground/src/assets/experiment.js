// Runs experiments: sends their steps, checks what comes back, shows both.

const answer = await fetch(location.pathname, { headers: { accept: 'application/json' } })
const { experiments } = await answer.json()
const texts = document.querySelector('#run-texts').dataset
const byId = new Map(experiments.map((experiment) => [experiment.id, experiment]))

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
  for (const { id, steps } of experiments) {
    if (steps.length === 0) continue
    done++
    if (await run(id)) good++
    status.textContent = texts.progress.replace('{good}', good).replace('{done}', done)
  }
  document.documentElement.dataset.ready = 'all'
}

async function run(id) {
  const section = document.querySelector(`[data-experiment="${CSS.escape(id)}"]`)
  const output = section.querySelector('output')
  const lines = [...section.querySelectorAll('ol > li')]
  for (const shown of section.querySelectorAll('.shown')) shown.remove()
  const values = { run: String(Math.floor(Math.random() * 9000) + 1000) }
  const bodies = []
  let isGood = true
  output.className = ''
  output.textContent = '…'
  for (const [at, step] of byId.get(id).steps.entries()) {
    if (step.waitSeconds) await new Promise((resolve) => setTimeout(resolve, 1000 * step.waitSeconds))
    const exchanges = await Promise.all(Array.from({ length: step.times ?? 1 }, () => send(step, values)))
    const problems = problemsOf(step, exchanges, values)
    if (problems.length > 0) isGood = false
    keep(step, exchanges, values)
    bodies.push(pretty(exchanges[0].body))
    lines[at].append(shown(step, exchanges, problems))
  }
  if (byId.get(id).compares) section.append(compared(bodies))
  output.className = `badge ${isGood ? 'good' : 'bad'}`
  output.textContent = isGood ? texts.asitmustbe : texts.notasitmustbe
  section.dataset.state = isGood ? 'good' : 'bad'
  return isGood
}

async function send(step, values) {
  const fill = (text) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole)
  const { method = 'GET', as, json, expect } = step
  const headers = Object.fromEntries(Object.entries(step.headers ?? {}).map(([name, value]) => [name, fill(value)]))
  if (json !== undefined) headers['Content-Type'] ??= 'application/json'
  if (as) headers.Authorization = `Basic ${btoa(`${as}:${as}-demo`)}`
  const text = step.body ?? (json === undefined ? undefined : JSON.stringify(json))
  const body = text === undefined ? undefined : fill(text)
  const path = fill(step.path)
  const request = { method, path, headers, body }
  for (let attempt = 0; ; attempt++) {
    try {
      const got = await fetch(path, { method, headers, body, credentials: 'omit', cache: 'no-store' })
      if (got.status === 429 && attempt < 3 && !mayBe(expect.status, 429)) {
        await new Promise((resolve) => setTimeout(resolve, 1000 * Number(got.headers.get('retry-after') ?? 1)))
        continue
      }
      // A browser follows redirects by itself: that there was one is all that can be seen.
      const isRedirect = got.redirected && [301, 302, 308].find((status) => mayBe(expect.status, status))
      const fields = Object.fromEntries(got.headers)
      return { request, status: isRedirect || got.status, headers: fields, body: await got.text(), isRedirect }
    } catch {
      return { request, status: 0, headers: {}, body: '' }
    }
  }
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
      if (got !== count) problems.push(`${got} answers have the status ${code}, not ${count}`)
    }
  }
  for (const exchange of exchanges) {
    if (!mayBe(status, exchange.status)) problems.push(`the status is ${exchange.status}`)
    if (exchange.isRedirect) continue
    for (const [name, pattern] of Object.entries(headers)) {
      const value = exchange.headers[name]
      if (pattern === null ? value !== undefined : !matches(pattern, value ?? '', values))
        problems.push(`${name} is ${value ?? 'not there'}`)
    }
    if (body === '' ? exchange.body !== '' : body !== undefined && !matches(body, exchange.body, values))
      problems.push('the body is another one')
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
    if (kind === 'header') values[name] = first.headers[where] ?? ''
    else values[name] = String(memberOf(first.body, where))
  }
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

function shown({ expect }, exchanges, problems) {
  const details = document.createElement('details')
  details.className = 'shown'
  const summary = document.createElement('summary')
  const badge = document.createElement('span')
  badge.className = `badge ${problems.length > 0 ? 'bad' : 'good'}`
  badge.textContent = exchanges.map(({ status }) => status || texts.noanswer).join(' ')
  summary.append(badge, ` ${problems.join('; ') || told(expect, exchanges[0])}`)
  details.append(summary)
  for (const { request, status, headers, body, isRedirect } of exchanges) {
    const pre = document.createElement('pre')
    pre.tabIndex = 0
    const sent = [`${request.method} ${request.path}`, ...linesOf({ ...request.headers, ...masked(request.headers) })]
    if (request.body !== undefined) sent.push('', request.body)
    const got = [`${status || texts.noanswer}${isRedirect ? `, ${texts.followed}` : ''}`, ...linesOf(headers)]
    if (body !== '') got.push('', pretty(body).slice(0, 4000))
    pre.textContent = [...sent, '', ...got].join('\n')
    details.append(pre)
  }
  return details
}

// What the answer says that the step is about.
function told({ headers = {} }, { headers: given, body }) {
  const names = Object.keys(headers).filter((name) => given[name] !== undefined)
  const fields = names.map((name) => `${name}: ${given[name]}`)
  return [...fields, ...(body.length <= 60 ? [body] : [])].join(' · ')
}

// Two texts side by side, the lines that the other has not marked.
function compared(bodies) {
  const split = document.createElement('div')
  split.className = 'shown split'
  for (const [at, body] of bodies.entries()) {
    const others = new Set(bodies[1 - at].split('\n').map((line) => line.trim()))
    const pre = document.createElement('pre')
    pre.tabIndex = 0
    for (const line of body.split('\n')) {
      const part = document.createElement(others.has(line.trim()) ? 'span' : 'mark')
      part.textContent = line
      pre.append(part, '\n')
    }
    split.append(pre)
  }
  return split
}

function masked({ Authorization }) {
  return Authorization === undefined ? {} : { Authorization: 'Basic ***' }
}

function linesOf(fields) {
  return Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
