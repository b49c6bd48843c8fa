import type { MediaTypeObject, OpenAPIObject, ParameterObject } from 'openapi3-ts/oas31'
import type { Language } from '../../messages/locale.ts'
import { formatCurl } from './assets/messages.js'
import { scripts } from './assets.ts'
import { codeBlock, codeView, exchange, methodTag } from './exchange.ts'
import { userChoice } from './fields.ts'
import { type Content, type Definition, definitions, type Html, html } from './html.ts'
import { breadcrumbs } from './layout.ts'
import {
  describeType,
  findMedia,
  type ListedField,
  type ListedOperation,
  listFields,
  listOperations,
} from './reference-document.ts'
import { text } from './texts.ts'
import type { Page, PageView } from './view.ts'

interface ReferenceView {
  view: PageView
  document: OpenAPIObject
  version: string
}

/** Every operation of the API in a line, by its tag. */
export function referencePage({ view, document, version }: ReferenceView): Page {
  const { site, language } = view
  const title = text(language, 'operations')
  const tags = document.tags?.map(({ name, description }) => {
    const rows = listOperations(document, name).map(
      ({ method, path, id, summary }) =>
        html`<li><a href="/v${version}/docs/${name}#${id}">${methodTag(method)} <code>${path}</code></a><span class="quiet" lang="en">${summary}</span></li>`,
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

/** The operations of a tag in full, each with an example and a form that sends it. */
export function tagPage({ view, document, version }: ReferenceView, tag: string): Page {
  const { language, site } = view
  const description = document.tags?.find(({ name }) => name === tag)?.description ?? ''
  const operations = listOperations(document, tag)
  const contents = operations.map(
    ({ method, id, summary }) =>
      html`<li><a href="#${id}">${methodTag(method)} <span lang="en">${summary}</span></a></li>`,
  )
  const main = html`${breadcrumbs(view)}<h1>${tag}</h1>
<p class="lead" lang="en">${description}</p>
<ul class="links">${contents}</ul>
${userChoice(site.users, 'docs-user', text(language, 'tryAs'), language)}
<noscript><p class="notice">${text(language, 'operationsScript')}</p></noscript>
${operations.map((listed) => operationView(listed, { view, document, version }))}`
  return { title: tag, main, scripts: [scripts.docs] }
}

interface OperationView extends ReferenceView, ListedOperation {
  /** Its body: the media type with an example. */
  type: string
  media: MediaTypeObject | undefined
  /** Its path in this version, with examples for its variables. */
  target: string
}

function operationView(listed: ListedOperation, reference: ReferenceView): Html {
  const { view, document, version } = reference
  const { method, path, id, summary, description, parameters, requestBody } = listed
  const [type, media] = findMedia(requestBody?.content, document)
  const shown = { ...reference, ...listed, type, media, target: `/v${version}${fillPath(path, parameters)}` }
  return html`<article class="operation" id="${id}"><h2 lang="en">${summary}</h2>
<p class="start">${methodTag(method)} <code>${path}</code> <span class="quiet mono">${id}</span></p>
<div class="reference"><div><p lang="en">${prose(description)}</p>
${parameters.length > 0 ? html`<h3>${text(view.language, 'parameters')}</h3>${fieldList(parameters, reference)}` : ''}
${bodyFields(shown)}
${responsesView(listed, view.language)}</div>
<div class="stack">${exampleCall(shown)}${exampleResponse(shown)}${tryForm(shown)}</div></div></article>`
}

function fillPath(path: string, parameters: readonly ParameterObject[]): string {
  return path.replace(/\{(\w+)\}/g, (_, variable: string) => {
    const { example = '1' } = parameters.find(({ name }) => name === variable) ?? {}
    return encodeURIComponent(String(example))
  })
}

// Names in descriptions are between backticks.
function prose(description = ''): Content {
  return description.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))
}

function fieldList(fields: readonly ListedField[], { view, document }: ReferenceView): Html {
  const badge = html` <span class="badge">${text(view.language, 'required')}</span>`
  const rows = fields.map(({ name, required, description, schema, in: place }): Definition => {
    const kind = [place, schema && describeType(schema, document)].filter(Boolean).join(', ')
    const term = html`<code>${name}</code>${required ? badge : ''}`
    return [term, html`<span class="quiet mono">${kind}</span><br><span lang="en">${prose(description)}</span>`]
  })
  return definitions(rows)
}

function bodyFields({ requestBody, type, media, ...reference }: OperationView): Content {
  if (!media) return ''
  const fields = listFields(media.schema, reference.document)
  const types = Object.keys(requestBody?.content ?? {}).join(', ')
  return html`<h3>${text(reference.view.language, 'body')}</h3><p class="quiet mono">${types}</p>${fields.length > 0 ? fieldList(fields, reference) : highlighted(media, type)}`
}

function responsesView({ responses }: ListedOperation, language: Language): Html {
  const good = responses.filter(([status]) => status < '400')
  const errors = responses.filter(([status]) => status >= '400')
  const rows = good.map(([status, { description, content = {} }]): Definition => {
    const types = Object.keys(content).join(', ')
    const about = html`<span lang="en">${description}</span><br><span class="quiet mono">${types}</span>`
    return [html`<span class="badge good">${status}</span>`, about]
  })
  const codes = errors.map(([status]) => html`<span class="badge">${status}</span> `)
  const others: Definition = [html`<a href="/problems">${text(language, 'problemCodes')}</a>`, codes]
  return html`<h3>${text(language, 'responses')}</h3>${definitions([...rows, others])}`
}

function exampleCall({ method, id, view, version, type, media, target, parameters }: OperationView): Html {
  const body = media?.example === undefined ? undefined : writeExample(media, type)
  const needsKey = parameters.some(({ name, required }) => name === 'Idempotency-Key' && required)
  const fields = {
    ...(body === undefined ? { Accept: 'application/json' } : { 'Content-Type': type }),
    // The example of the parameter is that of all operations, and a key is for one request.
    ...(needsKey && { 'Idempotency-Key': `"v${version}-${id}"` }),
  }
  const user = view.site.users.length > 0 ? 'ada:ada-demo' : 'name:password'
  const line = formatCurl({ method, url: view.baseUrl + target, user, fields, body })
  return codeBlock('curl', `curl-${id}`, line, view.language)
}

/** The example of a media type, as a message has it. */
function writeExample({ example = {} }: MediaTypeObject, type: string, indent = 0): string {
  if (type === 'application/x-www-form-urlencoded') return String(new URLSearchParams(example))
  return JSON.stringify(example, null, indent)
}

function exampleResponse({ responses, view, document }: OperationView): Content {
  const [status, response] = responses.find(([status]) => status.startsWith('2')) ?? []
  const [type, media] = findMedia(response?.content, document)
  if (media?.example === undefined) return ''
  return html`<div class="message"><p class="label">${text(view.language, 'response')} ${status} <span class="mono">${type}</span></p>${highlighted(media, type)}</div>`
}

function highlighted(media: MediaTypeObject, type: string): Content {
  return media.example === undefined ? '' : codeView(writeExample(media, type, 2), type)
}

function tryForm({ method, id: operationId, view: { language }, type, media, target }: OperationView): Html {
  const id = `try-${operationId}`
  const body =
    media &&
    html`<label for="${id}-body">${text(language, 'body')}</label><textarea id="${id}-body" name="body" rows="4" spellcheck="false">${writeExample(media, type, 2)}</textarea>`
  return html`<details class="try"><summary>${text(language, 'tryIt')}</summary>
<form data-try="${method}" data-type="${type}"><label for="${id}">${text(language, 'address')}</label><input id="${id}" name="target" value="${target}">${body}<p><button disabled>${text(language, 'send')}</button></p><div class="stack" aria-live="polite"></div></form></details>`
}

/** A page about the OpenAPI document: its first lines, and requests that return all of it. */
export function documentPage(view: PageView, document: unknown, version: string): Page {
  const { language } = view
  const title = text(language, 'documentTitle')
  const main = html`<h1>${title}</h1>
<p class="lead">${text(language, 'documentLead')} <a href="/v${version}/docs">${text(language, 'operations')}</a></p>
${exchange(view, { type: 'application/json', value: document })}`
  return { title, main }
}
