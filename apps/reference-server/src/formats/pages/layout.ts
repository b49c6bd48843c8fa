import { icon, notes, script, style } from './assets.ts'
import { type Content, html } from './html.ts'
import { type TextKey, text } from './texts.ts'
import type { Page, PageView } from './view.ts'

const navigation: readonly [TextKey, string][] = [
  ['overview', '/'],
  ['api', '/docs'],
  ['soap', '/ws/customer'],
]

type Frame = Pick<PageView, 'language' | 'path' | 'target' | 'site' | 'user'>

/** A whole page: the frame that all pages share, with nothing inline, so that the strictest policy holds. */
export function layout(view: Frame, { title, main, scripts = [], styles = [] }: Page): string {
  const { language, path, site } = view
  const entries = navigation.map(([key, href]) => ({ href, label: () => text(language, key) }))
  const links = [...entries, ...site.additions.flatMap(({ navigation = [] }) => navigation)].map(({ href, label }) => {
    const current = href === path ? html` aria-current="page"` : ''
    return html`<a href="${href}"${current}>${label(language)}</a>`
  })
  return `<!doctype html>\n${html`<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Svc</title>
<meta name="description" content="${text(language, 'description', { title })}">
<link rel="icon" href="${icon.path}" type="image/svg+xml">
${[...styles, style].map(({ path }) => html`<link rel="stylesheet" href="${path}">`)}
${[script, ...scripts].map(({ path }) => html`<script src="${path}" type="module"></script>`)}
</head>
<body data-notes="${notes[language].path}">
<a class="skip" href="#main">${text(language, 'skip')}</a>
<header class="top"><div><a class="brand" href="/"><img src="${icon.path}" alt="" width="24" height="24">Svc</a><nav aria-label="Svc">${links}</nav>${whoAsks(view)}</div></header>
<main id="main" tabindex="-1">
${main}
</main>
<footer class="foot"><div><span>Svc</span><a href="/openapi.json">OpenAPI</a><a href="/ws/customer?wsdl">WSDL</a></div></footer>
</body>
</html>
`}`
}

// A browser keeps a password until it is rejected: an extension may have a path that rejects it on purpose.
function whoAsks({ language, target, site, user }: Frame): Content {
  const name = user === undefined ? '' : html`<a href="/users/me">${user}</a>`
  const [loginPath] = site.additions.flatMap(({ loginPath }) => loginPath ?? [])
  if (loginPath === undefined) return name && html`<span class="user">${name}</span>`
  const query = new URLSearchParams({ ...(user !== undefined && { not: user }), to: target })
  const label = text(language, user === undefined ? 'logIn' : 'logInAsAnother')
  return html`<span class="user">${name}<a href="${loginPath}?${String(query)}">${label}</a></span>`
}
