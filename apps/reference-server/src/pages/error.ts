import { html } from './html.ts'
import { layout } from './layout.ts'
import { breadcrumbs } from './resource.ts'
import { type Language, text } from './texts.ts'

export interface ErrorView {
  language: Language
  path: string
  status: number
  /** Reason phrase of the status. */
  error: string
  message: string
  code?: string | undefined
  correlationId?: string | undefined
  errors?: readonly { pointer?: string; detail: string }[] | undefined
}

/** An Error record for people. */
export function errorPage({
  language,
  path,
  status,
  error,
  message,
  code,
  correlationId,
  errors = [],
}: ErrorView): string {
  const problems = errors.map(({ pointer, detail }) => html`<li><code>${pointer || '/'}</code> ${detail}</li>`)
  const main = html`${breadcrumbs(path, language)}
<h1><span class="badge bad">${status}</span> ${error}</h1>
<p class="quiet">${text(language, 'errorLead')}</p>
<p class="notice bad">${message}</p>
${problems.length ? html`<h2>${text(language, 'problems')}</h2><ul>${problems}</ul>` : ''}
<div class="wide facts"><table><tbody>
${code ? html`<tr><th scope="row">code</th><td class="mono">${code}</td></tr>` : ''}
${correlationId ? html`<tr><th scope="row">${text(language, 'correlation')}</th><td class="mono">${correlationId}</td></tr>` : ''}
</tbody></table></div>`
  return layout({ title: `${status} ${error}`, language, path, main })
}
