import { type Html, html } from './html.ts'
import { type TextKey, text } from './texts.ts'
import type { PageView } from './view.ts'

type Link = readonly [href: string, label: TextKey]
type PackageName = TextKey extends infer K ? (K extends `package.${infer N}` ? N : never) : never

interface Card {
  name: PackageName
  /** Places where it can be seen at work, with what is there. */
  links: readonly Link[]
  /** Further ones of the demo. */
  demo: readonly Link[]
}

const cards: readonly Card[] = [
  { name: 'errors', links: [], demo: [['/play/faults', 'seeFaults']] },
  {
    name: 'negotiate',
    links: [['/employees/1', 'seeFormats']],
    demo: [
      ['/play/negotiation', 'seeNegotiation'],
      ['/play/cache', 'seeCache'],
    ],
  },
  {
    name: 'hal',
    links: [
      ['/orders/3', 'seeOrder'],
      ['/employees?size=5', 'seePages'],
    ],
    demo: [],
  },
  { name: 'versioning', links: [['/v2/employees/1', 'seeVersion']], demo: [['/play/versioning', 'seeVersions']] },
  { name: 'ratelimit', links: [], demo: [['/play/ratelimit', 'seeBurst']] },
  { name: 'idempotency', links: [], demo: [['/play/idempotency', 'seeRetry']] },
  {
    name: 'soap-envelope',
    links: [
      ['/ws/customer', 'seeCustomers'],
      ['/ws/PriceService', 'seePrices'],
    ],
    demo: [],
  },
]

/** A card for each package, with links to where it works. */
export function packageCards({ language, site }: PageView): Html {
  const items = cards.map(({ name, links, demo }) => {
    const all = [...(site.isDemo ? demo : []), ...links]
    const places = all.map(([href, label]) => html`<a href="${href}">${text(language, label)}</a>`)
    return html`<li class="card"><h3>@svc/${name}</h3><p>${text(language, `package.${name}`)}</p><p class="go">${places}</p></li>`
  })
  return html`<ul class="cards">${items}</ul>`
}
