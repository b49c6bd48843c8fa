import type { Manifest } from '../tools/files.ts'
import { documentPage, pageUrl, SITE } from './site.ts'

interface Source {
  manifest: Manifest
  short: string
  readme: string
}

/**
 * Returns an overview for language models (llmstxt.org): what each package does, and where to read
 * on. It is read out of context, so its links are absolute.
 */
export function llmsText(packages: readonly Source[]): string {
  const link = (title: string, page: string): string => `[${title}](${pageUrl(`${page}.md`)})`
  const lines = packages.map(
    ({ manifest, short }) => `- ${link(manifest.name, `packages/${short}`)}: ${manifest.description ?? ''}`,
  )
  const examples = packages.flatMap(({ manifest, readme }) => {
    const example = /^```js[^\n]*\n[\s\S]*?^```/m.exec(readme)?.[0]
    return example ? [`### ${manifest.name}\n\n${example}`] : []
  })
  return `# Svc

> Seven small npm packages for the rules of HTTP and SOAP. Six are middleware (req, res, next) for node:http, connect,
> polka, Express 4 and 5; hal returns objects and strings. None depends on another; ESM, CommonJS and types.

## Packages

${lines.join('\n')}

## Documentation

- [The whole documentation as one text](${SITE}llms-full.txt): tutorial, guides, packages and error codes
- ${link('Tutorial', 'tutorial')}: from an empty directory to a service with all packages
- ${link('Error codes', 'codes/index')}: every ERR_ and WRN_ code, its status and what to do
- ${link('API', 'api/index')}: every exported name, with its signature and options
- ${link('Middleware order', 'guides/order')}, ${link('behind a proxy', 'guides/behind-a-proxy')}, ${link('testing', 'guides/testing')}
- ${link('Recipes', 'recipes/index')} and ${link('coming from another library', 'migrate/index')}
- ${link('Versions and changes', 'changes/index')}, ${link('version numbers', 'semver')} and ${link('support', 'support')}: HTTP behavior is API

## First programs

${examples.join('\n\n')}
`
}

/** Returns the pages that teach, one after another, for readers that take everything at once. */
export function llmsFullText(pages: ReadonlyMap<string, string>): string {
  const chapters = /^(?:tutorial|guides\/.*|packages\/.*|recipes\/.*|migrate\/.*|codes\/.*|semver)\.md$/
  const texts = [...pages].flatMap(([page, text]) =>
    chapters.test(page) && !page.endsWith('index.md') ? [`<!-- ${pageUrl(page)} -->\n\n${text.trim()}`] : [],
  )
  return `# Svc: the whole documentation\n\n${texts.join('\n\n')}\n`
}

/** A document of a package: `docs/options.md` and its text. */
export interface PackageDocument {
  name: string
  text: string
}

/**
 * Returns the overview of one package, for its tarball: links to the site, and the files next to
 * it.
 */
export function packageLlmsText({ name, description }: Manifest, documents: readonly PackageDocument[]): string {
  const short = name.replace('@svc/', '')
  const lines = documents.map((document) => {
    const title = /^# (.*)$/m.exec(document.text)?.[1] ?? document.name
    return `- [${title}](${pageUrl(documentPage(short, document.name))}): ${document.name} of this package`
  })
  return `# ${name}

> ${description ?? ''}

- [All of it as one text](${SITE}llms-full.txt): the site; docs/llms-full.txt: this package
- [API](${pageUrl(`api/${short}/index.md`)}): every export with its signature and options
${lines.join('\n')}
`
}

/** Returns the README and reference of one package as one text. */
export function packageLlmsFullText({ name }: Manifest, documents: readonly PackageDocument[]): string {
  const short = name.replace('@svc/', '')
  const texts = documents.map(
    (document) => `<!-- ${pageUrl(documentPage(short, document.name))} -->\n\n${document.text.trim()}`,
  )
  return `${texts.join('\n\n')}\n`
}
