import type { Manifest } from '../tools/files.ts'

interface Source {
  manifest: Manifest
  short: string
  readme: string
}

/** An overview for language models (llmstxt.org): what each package does, and where to read on. */
export function llmsText(packages: readonly Source[]): string {
  const lines = packages.map(
    ({ manifest, short }) => `- [${manifest.name}](/packages/${short}.html): ${manifest.description ?? ''}`,
  )
  const examples = packages.flatMap(({ manifest, readme }) => {
    const example = /^```js[^\n]*\n[\s\S]*?^```/m.exec(readme)?.[0]
    return example ? [`### ${manifest.name}\n\n${example}`] : []
  })
  return `# Svc

> Small npm packages for the rules of HTTP and SOAP. Each is a middleware (req, res, next) for node:http, connect, polka,
> Express 4 and 5, without dependencies on the others; ESM, CommonJS and types.

## Packages

${lines.join('\n')}

## Reference

- [Error codes](/codes/index.html): every ERR_ and WRN_ code, its status and what to do
- [Types](/api/index.html): every exported name
- [Order of middlewares](/guides/order.html), [behind a proxy](/guides/behind-a-proxy.html), [testing](/guides/testing.html)
- [Recipes](/recipes/index.html) and [coming from another library](/migrate/index.html)
- [Semantic versioning](/semver.html): HTTP behaviour is API

## First programs

${examples.join('\n\n')}
`
}
