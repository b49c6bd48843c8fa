import { icon, script, style } from './assets.ts'
import { html } from './html.ts'
import { type TextKey, text } from './texts.ts'
import type { Page, PageView } from './view.ts'

const navigation: readonly [TextKey, string][] = [
  ['overview', '/'],
  ['api', '/docs'],
  ['soap', '/ws/customer'],
]

const demoNavigation: readonly [TextKey, string][] = [
  ['playgrounds', '/play'],
  ['requests', '/_demo/requests'],
  ['tokens', '/_demo/tokens'],
  ['map', '/_demo/map'],
]

/** A whole page: the frame that all pages share, with nothing inline, so that the strictest policy holds. */
export function layout(view: Pick<PageView, 'language' | 'path' | 'site' | 'user'>, page: Page): string {
  const { language, path, site, user } = view
  const { title, main, scripts = [], styles = [], lang } = page
  const links = [...navigation, ...(site.isDemo ? demoNavigation : [])].map(([key, href]) => {
    const current = href === path ? html` aria-current="page"` : ''
    return html`<a href="${href}"${current}>${text(language, key)}</a>`
  })
  return `<!doctype html>\n${html`<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Svc</title>
<link rel="icon" href="${icon.path}" type="image/svg+xml">
${[...styles, style].map(({ path }) => html`<link rel="stylesheet" href="${path}">`)}
${[script, ...scripts].map(({ path, isClassic }) => html`<script src="${path}" ${isClassic ? html`defer` : html`type="module"`}></script>`)}
</head>
<body>
<a class="skip" href="#main">${text(language, 'skip')}</a>
<header class="top"><div><a class="brand" href="/">Svc reference server</a><nav aria-label="Svc">${links}</nav>${user === undefined ? '' : html`<span class="user">${user}</span>`}</div></header>
<main id="main"${lang && lang !== language ? html` lang="${lang}"` : ''}>
${main}
</main>
<footer class="foot"><div><span>Svc</span><a href="/openapi.json">OpenAPI</a><a href="/ws/customer?wsdl">WSDL</a></div></footer>
</body>
</html>
`}`
}
