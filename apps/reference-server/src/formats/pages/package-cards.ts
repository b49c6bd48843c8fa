import { type Html, html } from './html.ts'
import { type TextKey, text } from './texts.ts'
import type { PageView } from './view.ts'

type Link = readonly [href: string, label: TextKey]
type PackageName = TextKey extends infer K ? (K extends `package.${infer N}` ? N : never) : never

const cards: readonly (readonly [name: PackageName, links: readonly Link[]])[] = [
  ['errors', []],
  ['negotiate', [['/employees/1', 'seeFormats']]],
  [
    'hal',
    [
      ['/orders/3', 'seeOrder'],
      ['/employees?size=5', 'seePages'],
    ],
  ],
  ['versioning', [['/v2/employees/1', 'seeVersion']]],
  ['ratelimit', []],
  ['idempotency', []],
  [
    'soap-envelope',
    [
      ['/ws/customer', 'seeCustomers'],
      ['/ws/PriceService', 'seePrices'],
    ],
  ],
]

/** A card for each package, with links to where it works. */
export function packageCards({ language, site }: PageView): Html {
  const items = cards.map(([name, links]) => {
    const places = [
      ...site.additions.flatMap(({ showcases }) => showcases?.[name] ?? []),
      ...links.map(([href, label]) => ({ href, label: () => text(language, label) })),
    ].map(({ href, label }) => html`<a href="${href}">${label(language)}</a>`)
    const go = places.length > 0 ? html`<p class="go">${places}</p>` : ''
    return html`<li class="card"><h3><span>@svc/</span>${name}</h3><p>${text(language, `package.${name}`)}</p>${go}</li>`
  })
  return html`<ul class="cards">${items}</ul>`
}
