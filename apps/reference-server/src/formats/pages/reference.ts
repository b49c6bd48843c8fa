import type { Language } from '../../messages/locale.ts'
import { scripts } from './assets.ts'
import { formatCurl } from './curl.ts'
import { codeView, command, methodTag } from './exchange.ts'
import { userChoice } from './fields.ts'
import { type Content, type Html, html } from './html.ts'
import { breadcrumbs } from './layout.ts'
import {
  type ApiDocument,
  type ApiMedia,
  type ApiOperation,
  type ApiParameter,
  type ApiSchema,
  describeType,
  findMedia,
  type ListedOperation,
  listFields,
  listOperations,
} from './reference-document.ts'
import { text } from './texts.ts'
import type { Page, PageView } from './view.ts'

interface ReferenceView {
  view: PageView
  document: ApiDocument
  version: string
}

/** Every operation of the API in a line, by its tag. */
export function referencePage({ view, document, version }: ReferenceView): Page {
  const { site, language } = view
  const title = text(language, 'operations')
  const tags = document.tags.map(({ name, description }) => {
    const rows = listOperations(document, name).map(
      ({ method, path, operation }) =>
        html`<li><a href="/v${version}/docs/${name}#${operation.operationId}">${methodTag(method)} <code>${path}</code></a><span class="quiet" lang="en">${operation.summary}</span></li>`,
    )
    return html`<section class="tag"><h2><a href="/v${version}/docs/${name}">${name}</a></h2><p lang="en">${description}</p><ul class="operations">${rows}</ul></section>`
  })
  const main = html`<h1>${title}</h1>
<p class="lead">${text(language, 'operationsLead')}</p>
<ul class="links">${site.versions.map((each) => versionLinks(each, version, language))}</ul>
<div class="tags">${tags}</div>`
  return { title, main }
}

function versionLinks(version: string, current: string, language: Language): Html {
  const isCurrent = version === current ? html` aria-current="page"` : ''
  return html`<li><a href="/v${version}/docs"${isCurrent}>${text(language, 'versionNumber', { number: version })}</a></li>
<li><a href="/v${version}/openapi.json">v${version}/openapi.json</a></li>`
}

/** The operations of a tag in full: parameters, bodies, responses, an example, and a form that sends it. */
export function tagPage({ view, document, version }: ReferenceView, tag: string): Page {
  const { language, site, path } = view
  const description = document.tags.find(({ name }) => name === tag)?.description ?? ''
  const operations = listOperations(document, tag)
  const contents = operations.map(
    ({ method, operation }) =>
      html`<li><a href="#${operation.operationId}">${methodTag(method)} <span lang="en">${operation.summary}</span></a></li>`,
  )
  const main = html`${breadcrumbs(path, language)}<h1>${tag}</h1>
<p class="lead" lang="en">${description}</p>
<ul class="links">${contents}</ul>
${userChoice(site.users, { id: 'docs-user', label: text(language, 'tryAs'), language })}
<noscript><p class="notice">${text(language, 'operationsScript')}</p></noscript>
${operations.map((listed) => operationView(listed, { view, document, version }))}`
  return { title: tag, main, scripts: [scripts.docs] }
}

function operationView(listed: ListedOperation, reference: ReferenceView): Html {
  const { view, document } = reference
  const { method, path, operation } = listed
  const { language } = view
  const { operationId, summary, description } = operation
  return html`<article class="operation" id="${operationId}"><h2 lang="en">${summary}</h2>
<p class="start">${methodTag(method)} <code>${path}</code> <span class="quiet mono">${operationId}</span></p>
<div class="reference"><div><p lang="en">${prose(description)}</p>
${parametersView(operation.parameters ?? [], document, language)}
${bodyFields(operation, document, language)}
${responsesView(operation, language)}</div>
<div class="stack">${exampleCall(listed, reference)}${exampleResponse(operation, reference)}${tryForm(listed, reference)}</div></div></article>`
}

function parametersView(parameters: readonly ApiParameter[], document: ApiDocument, language: Language): Content {
  if (parameters.length === 0) return ''
  const filters = parameters.filter(({ name }) => name.includes('['))
  const rows = parameters
    .filter((parameter) => !filters.includes(parameter))
    .map(({ name, in: place, required, description, schema }) =>
      fieldRow({ name, required, description, schema, place }, document, language),
    )
  const names = [...new Set(filters.map(({ name }) => name.slice(0, name.indexOf('['))))]
  const operators = (field: string): string =>
    filters.flatMap(({ name }) => (name.startsWith(`${field}[`) ? name.slice(field.length + 1, -1) : [])).join(', ')
  const more = html`<details><summary>${text(language, 'filterOperators')}</summary><dl class="fields">${names.map((field) => html`<div><dt><code>${field}[…]</code></dt><dd><code>${operators(field)}</code></dd></div>`)}</dl></details>`
  return html`<h3>${text(language, 'parameters')}</h3><dl class="fields">${rows}</dl>${names.length > 0 ? more : ''}`
}

// Names in descriptions are between backticks.
function prose(description = ''): Content {
  return description.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))
}

interface ShownField {
  name: string
  required?: boolean | undefined
  description?: string | undefined
  schema?: ApiSchema | undefined
  place?: string
}

function fieldRow(
  { name, required, description, schema, place }: ShownField,
  document: ApiDocument,
  language: Language,
): Html {
  const kind = [place, schema && describeType(schema, document)].filter(Boolean).join(', ')
  const badge = required ? html` <span class="badge">${text(language, 'required')}</span>` : ''
  return html`<div><dt><code>${name}</code>${badge}</dt><dd><span class="quiet mono">${kind}</span><br><span lang="en">${prose(description)}</span></dd></div>`
}

function bodyFields({ requestBody }: ApiOperation, document: ApiDocument, language: Language): Content {
  const [type, media] = findMedia(requestBody?.content, document)
  if (!media) return ''
  const rows = listFields(media.schema, document).map((field) => fieldRow(field, document, language))
  const types = Object.keys(requestBody?.content ?? {}).join(', ')
  return html`<h3>${text(language, 'body')}</h3><p class="quiet mono">${types}</p>${rows.length > 0 ? html`<dl class="fields">${rows}</dl>` : highlighted(media, type)}`
}

function responsesView({ responses }: ApiOperation, language: Language): Html {
  const entries = Object.entries(responses)
  const good = entries.filter(([status]) => status < '400')
  const rows = good.map(([status, { description, content }]) => {
    const types = Object.keys(content ?? {}).join(', ')
    return html`<div><dt><span class="badge good">${status}</span></dt><dd><span lang="en">${description}</span><br><span class="quiet mono">${types}</span></dd></div>`
  })
  const errors = entries.flatMap(([status]) =>
    status < '400' || status === 'default' ? [] : [html`<span class="badge">${status}</span> `],
  )
  return html`<h3>${text(language, 'responses')}</h3><dl class="fields">${rows}<div><dt><a href="/problems">${text(language, 'problemCodes')}</a></dt><dd>${errors}</dd></div></dl>`
}

function fillPath(path: string, { parameters = [] }: ApiOperation): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const { example } = parameters.find((parameter) => parameter.name === name) ?? {}
    return example === undefined ? '1' : encodeURIComponent(String(example))
  })
}

function exampleCall({ method, path, operation }: ListedOperation, { view, document, version }: ReferenceView): Html {
  const [type, media] = findMedia(operation.requestBody?.content, document)
  const body = media?.example === undefined ? undefined : JSON.stringify(media.example)
  const line = formatCurl({
    method,
    url: `${view.origin}/v${version}${fillPath(path, operation)}`,
    user: 'ada:ada-demo',
    fields: body === undefined ? { Accept: 'application/json' } : { 'Content-Type': type },
    body,
  })
  return html`<div class="message"><p class="label">curl</p>${command(`curl-${operation.operationId}`, line, view.language)}</div>`
}

function exampleResponse({ responses }: ApiOperation, { view, document }: ReferenceView): Content {
  const { language } = view
  const [status, response] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const [type, media] = findMedia(response?.content, document)
  if (media?.example === undefined) return ''
  return html`<div class="message"><p class="label">${text(language, 'response')} ${status} <span class="mono">${type}</span></p>${highlighted(media, type)}</div>`
}

function highlighted({ example }: ApiMedia, type: string): Content {
  if (example === undefined) return ''
  return codeView(JSON.stringify(example, null, 2), type)
}

function tryForm({ method, path, operation }: ListedOperation, { view, document, version }: ReferenceView): Html {
  const { language } = view
  const [type, media] = findMedia(operation.requestBody?.content, document)
  const id = `try-${operation.operationId}`
  const body =
    media &&
    html`<label for="${id}-body">${text(language, 'body')}</label><textarea id="${id}-body" name="body" rows="4" spellcheck="false">${JSON.stringify(media.example ?? {}, null, 2)}</textarea>`
  return html`<details class="try"><summary>${text(language, 'tryIt')}</summary>
<form data-try="${method}" data-type="${type}"><label for="${id}">${text(language, 'address')}</label><input id="${id}" name="target" value="/v${version}${fillPath(path, operation)}">${body}<p><button disabled>${text(language, 'send')}</button></p><div class="stack" aria-live="polite"></div></form></details>`
}

/** The OpenAPI document itself, as a page. */
export function documentPage({ language }: PageView, document: unknown, version: string): Page {
  const title = text(language, 'documentTitle')
  const main = html`<h1>${title}</h1>
<p>${text(language, 'documentLead')} <a href="/v${version}/docs">${text(language, 'operations')}</a></p>
<pre tabindex="0" lang="en">${JSON.stringify(document, null, 2)}</pre>`
  return { title, main }
}
