import { icon, script, style } from './assets.ts'
import { type Content, html } from './html.ts'
import { type Language, type TextKey, text } from './texts.ts'

export interface Frame {
  title: string
  language: Language
  /** Where the page stands: `/employees/1`. */
  path: string
  main: Content
}

const navigation: readonly [TextKey, string][] = [
  ['overview', '/'],
  ['api', '/docs'],
  ['soap', '/ws/customer'],
  ['requests', '/_demo/requests'],
  ['map', '/_demo/map'],
]

/** A whole page: the frame that all pages share, with nothing inline, so that the strictest policy holds. */
export function layout({ title, language, path, main }: Frame): string {
  const links = navigation.map(([key, href]) => {
    const current = href === path ? html` aria-current="page"` : ''
    return html`<a href="${href}"${current}>${text(language, key)}</a>`
  })
  return `<!doctype html>\n${html`<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Svc</title>
<link rel="icon" href="${icon.path}" type="image/svg+xml">
<link rel="stylesheet" href="${style.path}">
<script src="${script.path}" type="module"></script>
</head>
<body>
<a class="skip" href="#main">${text(language, 'skip')}</a>
<header class="top"><div><a class="brand" href="/">Svc reference server</a><nav aria-label="Svc">${links}</nav></div></header>
<main id="main">
${main}
</main>
<footer class="foot"><div><span>Svc</span><a href="/openapi.json">OpenAPI</a><a href="/ws/customer?wsdl">WSDL</a></div></footer>
</body>
</html>
`}`
}
