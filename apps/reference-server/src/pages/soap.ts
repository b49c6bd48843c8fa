import { represent } from '@svc/negotiate'
import { type Contract, writeEnvelope } from '@svc/soap-envelope'
import { prettyXml } from '@svc/soap-envelope/pretty'
import type { Middleware } from '../../../../packages/internal/middleware.ts'
import { DEMO_USERS } from '../database/seed/demo-users.ts'
import { exchangeOf } from '../exchange.ts'
import { SAMPLES } from '../soap/samples.ts'
import { scripts } from './assets.ts'
import { type Content, type Html, html } from './html.ts'
import { layout } from './layout.ts'
import { PAGE_POLICY } from './policy.ts'
import type { Site } from './site.ts'
import { type Page, viewOf } from './view.ts'

type Operation = Contract['operations'] extends ReadonlyMap<string, infer O> ? O : never

/** The page of a SOAP service: its operations in each version, with messages to change and send. */
export function soapPage(contracts: readonly Contract[], site: Site): Middleware {
  const page = contentOf(contracts, site)
  return (req, res, next) => {
    const { fields, caller } = exchangeOf(req)
    const view = viewOf(req, site)
    represent(
      req,
      res,
      {
        ...{ type: 'text/html; charset=utf-8', language: view.language, etag: false },
        body: layout({ ...view, user: caller?.subject }, page),
        headers: { ...fields, 'Content-Security-Policy': PAGE_POLICY },
        ...{ cacheControl: 'private, no-cache', vary: ['Accept', 'Accept-Language'] },
      },
      next,
    )
  }
}

function contentOf(contracts: readonly Contract[], { isDemo }: Site): Page {
  const service = contracts[0]?.service ?? 'SOAP'
  const main = html`<h1>${service}</h1>
<p class="lead">SOAP 1.2 and 1.1, document style, by contract: what does not fit the schema is refused with the place that does not fit.</p>
<ul class="links"><li><a href="?wsdl">WSDL</a></li></ul>
${isDemo ? userChoice() : ''}
<noscript><p class="notice">Messages are sent from here with JavaScript on; every SOAP client can send them too.</p></noscript>
${[...contracts].reverse().map(versionPart)}`
  return { title: service, main, lang: 'en', scripts: [scripts.soap] }
}

function userChoice(): Html {
  const users = DEMO_USERS.map(({ username, says }) => html`<option value="${username}">${username} (${says})</option>`)
  return html`<p><label>Send as <select id="soap-user" class="narrow"><option value="">nobody</option>${users}</select></label></p>`
}

function versionPart(contract: Contract): Html {
  const { targetNamespace, portType, operations } = contract
  const version = targetNamespace.slice(targetNamespace.lastIndexOf('/') + 1)
  return html`<section><h2>${portType} ${version}</h2><p class="quiet mono">${targetNamespace}</p>
${[...operations.values()].map((operation) => operationPart(operation, contract, version))}</section>`
}

function operationPart(operation: Operation, { schema }: Contract, version: string): Content {
  const { name, input, output, documentation } = operation
  const id = `${version}-${name}`
  const sample = prettyXml(writeEnvelope({ body: schema.encode(input, SAMPLES[name] ?? {}) }))
  const kind = output ? html`${input.local} → ${output.local}` : html`${input.local}, one-way`
  return html`<details><summary>${name} <span class="quiet">${kind}</span></summary>
${documentation ? html`<p>${documentation}</p>` : ''}
<form class="soap" data-soap="${name}"><label for="${id}">Message</label><textarea id="${id}" spellcheck="false">${sample}</textarea>
<p><button disabled>Send</button></p><pre tabindex="0" hidden></pre></form></details>`
}
