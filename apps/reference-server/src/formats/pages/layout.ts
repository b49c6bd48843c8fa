import { icon, script, style } from './assets.ts'
import { type Content, html } from './html.ts'
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

type Frame = Pick<PageView, 'language' | 'path' | 'target' | 'site' | 'user'>

/** A whole page: the frame that all pages share, with nothing inline, so that the strictest policy holds. */
export function layout(view: Frame, { title, main, scripts = [], styles = [] }: Page): string {
  const { language, path, site } = view
  const links = [...navigation, ...(site.isDemo ? demoNavigation : [])].map(([key, href]) => {
    const current = href === path ? html` aria-current="page"` : ''
    return html`<a href="${href}"${current}>${text(language, key)}</a>`
  })
  return `<!doctype html>\n${html`<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Svc</title>
<meta name="description" content="${text(language, 'description', { title })}">
<link rel="icon" href="${icon.path}" type="image/svg+xml">
${[...styles, style].map(({ path }) => html`<link rel="stylesheet" href="${path}">`)}
${[script, ...scripts].map(({ path, isClassic }) => html`<script src="${path}" ${isClassic ? html`defer` : html`type="module"`}></script>`)}
</head>
<body>
<a class="skip" href="#main">${text(language, 'skip')}</a>
<header class="top"><div><a class="brand" href="/">Svc reference server</a><nav aria-label="Svc">${links}</nav>${whoAsks(view)}</div></header>
<main id="main" tabindex="-1">
${main}
</main>
<footer class="foot"><div><span>Svc</span><a href="/openapi.json">OpenAPI</a><a href="/ws/customer?wsdl">WSDL</a></div></footer>
</body>
</html>
`}`
}

// A browser keeps a password until it is refused: the demo has an address that refuses it on purpose.
function whoAsks({ language, target, site, user }: Frame): Content {
  const name = user === undefined ? '' : html`<a href="/users/me">${user}</a>`
  if (!site.isDemo) return name && html`<span class="user">${name}</span>`
  const query = new URLSearchParams({ ...(user !== undefined && { not: user }), to: target })
  const label = text(language, user === undefined ? 'logIn' : 'logInAsAnother')
  return html`<span class="user">${name}<a href="/login?${String(query)}">${label}</a></span>`
}
