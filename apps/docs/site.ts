/**
 * URL of the published site, defined only here. A path, such as `/svc/`, becomes the base of all
 * links.
 */
export const SITE = 'https://svc-js.github.io/'

/** The path of the site on its host, with slashes at both ends. */
export const BASE = new URL(SITE).pathname

/** URL of the sources. */
export const SOURCES = 'https://github.com/svc-js/svc/tree/main'

/** Returns the address of a page: `guides/order.md` is `https://…/guides/order.html`. */
export function pageUrl(page: string): string {
  return new URL(page.replace(/\.md$/, '.html'), SITE).href
}

/**
 * Returns the page of a document of a package. `docs/from-halson.md` is a page of its own section:
 * readers look for the library that they have.
 */
export function documentPage(short: string, name: string): string {
  if (name === 'README.md') return `packages/${short}.md`
  return /^docs\/from-/.test(name) ? name.replace('docs/', 'migrate/') : name.replace('docs/', `packages/${short}/`)
}
