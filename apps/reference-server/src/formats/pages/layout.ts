import { parseHal } from '@svc/hal'
import { getBasePath } from '../../security/origin.ts'
import { icon, notes, script, style } from './assets.ts'
import type { Fields } from './fields.ts'
import { type Content, type Html, html } from './html.ts'
import { text } from './texts.ts'
import { type Page, type PageView, siteLink } from './view.ts'

const ownLinks = [siteLink('/', 'overview'), siteLink('/docs', 'api'), siteLink('/ws/customer', 'soap')]

type Frame = Pick<PageView, 'language' | 'path' | 'target' | 'site' | 'user' | 'canFollow'>

/** Renders a whole page. Nothing is inline, so that the strictest Content-Security-Policy works. */
export function layout(view: Frame, { title, main, scripts = [], styles = [] }: Page): string {
  const { language, path, site } = view
  const base = getBasePath(site.publicUrl)
  const addedLinks = site.additions.flatMap(({ navigation = [] }) => navigation)
  const links = [...ownLinks, ...addedLinks].map(({ href, label }) => {
    const current = href === path ? html` aria-current="page"` : ''
    return html`<a href="${href}"${current}>${label(language)}</a>`
  })
  const page = html`<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Svc</title>
<meta name="description" content="${text(language, 'description', { title })}">
<link rel="icon" href="${icon.path}" type="image/svg+xml">
${[...styles, style].map(({ path }) => html`<link rel="stylesheet" href="${path}">`)}
${[script, ...scripts].map(({ path }) => html`<script src="${path}" type="module"></script>`)}
</head>
<body data-notes="${notes[language].path}"${base && html` data-base="${base}"`}>
<a class="skip" href="#main">${text(language, 'skip')}</a>
<header class="top"><div><a class="brand" href="/"><img src="${icon.path}" alt="" width="24" height="24">Svc</a><nav aria-label="Svc">${links}</nav>${userLink(view)}</div></header>
<main id="main" tabindex="-1">
${main}
</main>
<footer class="foot"><div><span>Svc</span><a href="/openapi.json">OpenAPI</a><a href="/ws/customer?wsdl">WSDL</a></div></footer>
</body>
</html>
`
  return `<!doctype html>\n${belowPublicUrl(String(page), site.publicUrl)}`
}

const PATH_ATTRIBUTE = / (?:href|src|action|data-notes|data-events|data-source)="(?=\/(?!\/))/g

/**
 * Returns markup with the path of the public URL before each path of the service: a proxy removes
 * it. Text has no quotes, so that only attributes match.
 */
export function belowPublicUrl(markup: string, publicUrl: string): string {
  const base = getBasePath(publicUrl)
  return base === '' ? markup : markup.replace(PATH_ATTRIBUTE, (start) => start + base)
}

const OWN_USER = '/users/me'

// A browser keeps a password until it is rejected: an extension may have a path that does so.
function userLink({ language, target, site, user = '', canFollow }: Frame): Content {
  const name = user !== '' && canFollow(OWN_USER) ? html`<a href="${OWN_USER}">${user}</a>` : user
  const [loginPath] = site.additions.flatMap(({ loginPath }) => loginPath ?? [])
  if (loginPath === undefined) return name && html`<span class="user">${name}</span>`
  const query = new URLSearchParams({ ...(user !== '' && { not: user }), to: target })
  const label = text(language, user === '' ? 'logIn' : 'logInAsAnother')
  return html`<span class="user">${name}<a href="${loginPath}?${String(query)}">${label}</a></span>`
}

/** Relations between the pages of a collection. */
export const STEPS = ['first', 'previous', 'next', 'last'] as const

const paging = new Set<string>(STEPS)

/** Renders the links of a document with their methods, except paging, or their `forms`. */
export function linkList(
  document: Fields,
  { language, site }: PageView,
  forms: Readonly<Record<string, string>>,
): Content {
  const { relations, links: findLinks } = parseHal(document)
  const links = relations
    .filter((rel) => !paging.has(rel))
    .flatMap((rel) =>
      findLinks(rel)
        .filter(({ templated }) => !templated)
        .map(({ href, title = rel }) => {
          const methods = methodsFor(rel, site.findMethods(href)).join(' ')
          return html`<li><a href="${forms[rel] ?? href}">${title}${methods ? html` <span class="methods">${methods}</span>` : ''}</a></li>`
        }),
    )
  return links.length === 0 ? '' : html`<h2>${text(language, 'links')}</h2><ul class="links">${links}</ul>`
}

const CHANGES: Readonly<Record<string, readonly string[]>> = { update: ['PUT', 'PATCH'], delete: ['DELETE'] }
const METHODS = ['GET', 'QUERY', 'POST', 'PUT', 'PATCH', 'DELETE']

// HEAD and OPTIONS are omitted: every resource has them.
function methodsFor(rel: string, methods: readonly string[]): readonly string[] {
  return (CHANGES[rel] ?? METHODS).filter((method) => methods.includes(method))
}

/** Renders a path from the root, with a link for each step that can be read. */
export function breadcrumbs(view: Pick<PageView, 'language' | 'path' | 'site'>, path = view.path): Html {
  const { language, site } = view
  const steps = path.split('/').filter(Boolean)
  const items = steps.map((step, index) => {
    const name = safeDecode(step)
    const href = `/${steps.slice(0, index + 1).join('/')}`
    if (index === steps.length - 1) return html`<li aria-current="page">${name}</li>`
    return html`<li>${site.findMethods(href).includes('GET') ? html`<a href="${href}">${name}</a>` : name}</li>`
  })
  return html`<nav class="crumbs" aria-label="${text(language, 'breadcrumbs')}"><ol><li><a href="/">${text(language, 'overview')}</a></li>${items}</ol></nav>`
}

function safeDecode(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}
