import type { IncomingMessage } from 'node:http'
import type { Representation } from '@svc/negotiate'
import { type Contract, formatEnvelope } from '@svc/soap-envelope'
import { prettyXml } from '@svc/soap-envelope/pretty'
import { byLanguage, type Language } from '../../messages/locale.ts'
import { scripts } from './assets.ts'
import { userChoice } from './fields.ts'
import { type Content, type Html, html } from './html.ts'
import { layout } from './layout.ts'
import { text } from './texts.ts'
import { createView, type Page, type SiteConfig, siteLink, toPageRepresentation } from './view.ts'

/** Links to the pages of the SOAP services. */
export const SOAP_LINKS = [siteLink('/ws/customer', 'seeCustomers'), siteLink('/ws/PriceService', 'seePrices')]

type Operation = Contract['operations'] extends ReadonlyMap<string, infer O> ? O : never

export interface SoapPageOptions {
  /** Contracts that it serves, version 1 first. */
  contracts: readonly Contract[]
  /** A message of each operation, to try on its page. */
  samples: Readonly<Record<string, unknown>>
  /** Header blocks of these messages, by the names of their parts. */
  sampleHeaders?: Readonly<Record<string, unknown>>
}

/** The page of a SOAP service: its operations in each version, with messages to change and send. */
export function soapPage(options: SoapPageOptions, site: SiteConfig): (req: IncomingMessage) => Representation {
  const pages = byLanguage((language) => renderPage(options, site, language))
  return (req) => {
    const view = createView(req, site)
    const body = layout(view, pages[view.language])
    return toPageRepresentation({ type: 'text/html; charset=utf-8', body }, req)
  }
}

function renderPage(options: SoapPageOptions, { users, additions }: SiteConfig, language: Language): Page {
  const { contracts } = options
  const service = contracts[0]?.service ?? 'SOAP'
  // A browser cannot send XML from a form. The playground sends messages from the server.
  const playgrounds = additions
    .flatMap(({ showcases }) => showcases?.['soap-envelope'] ?? [])
    .map(({ href, label }) => html`<a href="${href}">${label(language)}</a>`)
  const main = html`<h1>${service}</h1>
<p class="lead">${text(language, 'soapLead')}</p>
<ul class="links">${SOAP_LINKS.map(({ href, label }) => html`<li><a href="${href}">${label(language)}</a></li>`)}
<li><a href="?wsdl">WSDL v1</a></li><li><a href="?wsdl=v2">WSDL v2</a></li>${playgrounds.map((link) => html`<li>${link}</li>`)}</ul>
${userChoice(users, 'soap-user', text(language, 'sendAs'), language)}
<noscript><p class="notice">${text(language, 'soapScript')} ${playgrounds}</p></noscript>
${[...contracts].reverse().map((contract, index) => versionPart(contract, options, language, index === 0))}`
  return { title: service, main, scripts: [scripts.soap] }
}

function versionPart(contract: Contract, options: SoapPageOptions, language: Language, isFirst: boolean): Html {
  const { targetNamespace, portType, operations } = contract
  const version = targetNamespace.slice(targetNamespace.lastIndexOf('/') + 1)
  const parts = [...operations.values()].map((operation, index) => {
    const sample = writeSample(operation, options)
    return operationPart(operation, { sample, version, language, isOpen: isFirst && index === 0 })
  })
  return html`<section><h2>${portType} ${version}</h2><p class="quiet mono">${targetNamespace}</p>${parts}</section>`
}

function writeSample({ name, input }: Operation, { samples, sampleHeaders = {} }: SoapPageOptions): string {
  const headers = input.headers.map((header) => header.encode(sampleHeaders[header.name]))
  return prettyXml(formatEnvelope({ headers, body: input.encode(samples[name] ?? {}) }))
}

interface OperationView {
  sample: string
  version: string
  language: Language
  isOpen: boolean
}

function operationPart(operation: Operation, { sample, version, language, isOpen }: OperationView): Content {
  const { name, input, output, documentation } = operation
  const id = `${version}-${name}`
  const kind = `${input.element?.local ?? ''}${output ? ` → ${output.element?.local ?? ''}` : `, ${text(language, 'oneWay')}`}`
  return html`<details${isOpen ? html` open` : ''}><summary>${name} <span class="quiet">${kind}</span></summary>
${documentation ? html`<p lang="en">${documentation}</p>` : ''}
<form class="soap" data-soap="${name}"><fieldset class="form" hidden><legend>${text(language, 'soapFill')}</legend></fieldset>
<label for="${id}">${text(language, 'message')}</label><textarea id="${id}" spellcheck="false">${sample}</textarea>
<p><button disabled>${text(language, 'send')}</button></p><div class="exchange" aria-live="polite"></div></form></details>`
}
