import { type Html, html } from './html.ts'

interface Card {
  name: string
  says: string
  /** Places where it can be seen at work, with what is there. */
  links: readonly (readonly [href: string, label: string])[]
  /** Further ones of the demo. */
  demo: readonly (readonly [href: string, label: string])[]
}

const cards: readonly Card[] = [
  {
    name: 'errors',
    says: 'One clear record for everything that goes wrong, as JSON, problem details, XML or a page.',
    links: [],
    demo: [['/play/faults', 'Break things on purpose']],
  },
  {
    name: 'negotiate',
    says: 'The representation, language and coding that a client likes best; entity tags and conditions.',
    links: [['/employees/1', 'An employee in every format']],
    demo: [
      ['/play/negotiation', 'Why this one?'],
      ['/play/cache', '304 and 412'],
    ],
  },
  {
    name: 'hal',
    says: 'Documents that say what can be done next: links, pages and forms.',
    links: [
      ['/orders/3', 'An order to be paid'],
      ['/employees?size=5', 'Pages'],
    ],
    demo: [],
  },
  {
    name: 'versioning',
    says: 'Versions in the path, a field or the media type, with a plan for those that go.',
    links: [['/v2/employees/1', 'An employee in version 2']],
    demo: [['/play/versioning', 'Versions side by side']],
  },
  {
    name: 'ratelimit',
    says: 'Fair limits in five algorithms, on one machine or many, told in the fields that clients know.',
    links: [],
    demo: [['/play/ratelimit', 'Send a burst']],
  },
  {
    name: 'idempotency',
    says: 'A retry never happens twice: the key, the effect and the answer are kept together.',
    links: [],
    demo: [['/play/idempotency', 'Send it again']],
  },
  {
    name: 'soap-envelope',
    says: 'SOAP 1.1 and 1.2 from a WSDL: validated messages, security headers, proper faults.',
    links: [
      ['/ws/customer', 'Customer service'],
      ['/ws/PriceService', 'Price service'],
    ],
    demo: [],
  },
]

/** A card for each package, with links to where it works. */
export function packageCards(isDemo: boolean): Html {
  const items = cards.map(({ name, says, links, demo }) => {
    const all = [...(isDemo ? demo : []), ...links].map(([href, label]) => html`<a href="${href}">${label}</a>`)
    return html`<li class="card"><h3>@svc/${name}</h3><p>${says}</p><p class="go">${all}</p></li>`
  })
  return html`<ul class="cards">${items}</ul>`
}
