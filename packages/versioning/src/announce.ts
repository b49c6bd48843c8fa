import type { ServerResponse } from '../../internal/middleware.ts'
import { vary } from '../../internal/vary.ts'
import type { Catalogue } from './catalogue.ts'
import type { RequestVersion } from './choose.ts'
import type { Field, Lifecycle } from './lifecycle.ts'
import type { Sources } from './sources.ts'

/** What an answer tells about versions, made once for each version. */
export interface Announcement {
  /** Fields that no one else sets. */
  own: readonly Field[]
  link: string
  vary: readonly string[]
  /** `Vary` as it is where nobody else varies. */
  varyAlone: string
  /** All of them as they stand in an answer that has no `Link` and `Vary` yet. */
  all: readonly Field[]
}

/** The announcements of a service. */
export interface Announcements {
  of(version: Pick<RequestVersion, 'version' | 'prefix'>): Announcement
  /** That of a refusal, where no version was chosen. */
  refused: Announcement
}

/**
 * Makes the announcements, with or without the discovery fields `API-Supported-Versions` and `API-Deprecated-Versions`.
 */
export function makeAnnouncements(
  catalogue: Catalogue,
  sources: Sources,
  lifecycle: Lifecycle,
  links: ReadonlyMap<string, string>,
  withDiscovery: boolean,
): Announcements {
  const supported = catalogue.supported.map(({ name }) => name)
  const deprecated = supported.filter((name) => lifecycle.isDeprecated(name))
  const discovery: Field[] = []
  if (withDiscovery) discovery.push(['API-Supported-Versions', supported.join(', ')])
  if (withDiscovery && deprecated.length > 0) discovery.push(['API-Deprecated-Versions', deprecated.join(', ')])

  const perVersion = (names: readonly string[]): Map<string, Announcement> => {
    const make = (name: string): Announcement =>
      makeAnnouncement([['API-Version', name], ...discovery, ...lifecycle.datesOf(name)], links.get(name) ?? '', names)
    return new Map(supported.map((name) => [name, make(name)]))
  }
  const unprefixed = perVersion(sources.vary)
  const prefixed = perVersion(sources.varyOfPath)
  const refused = makeAnnouncement(discovery, '', sources.vary)
  return { refused, of: ({ version, prefix }) => (prefix === '' ? unprefixed : prefixed).get(version) ?? refused }
}

/** Sets the fields; `Link` and `Vary` join what is there already. */
export function announce(res: ServerResponse, { own, link, vary: names, varyAlone }: Announcement): void {
  for (const [name, value] of own) res.setHeader(name, value)
  if (link !== '') {
    if (res.hasHeader('Link')) res.appendHeader('Link', link)
    else res.setHeader('Link', link)
  }
  if (varyAlone === '') return
  // Merging costs more than all the rest, and mostly there is nothing to merge with.
  if (res.hasHeader('Vary')) vary(res, ...names)
  else res.setHeader('Vary', varyAlone)
}

function makeAnnouncement(own: readonly Field[], link: string, names: readonly string[]): Announcement {
  const all: Field[] = [...own]
  const varyAlone = names.join(', ')
  if (link !== '') all.push(['Link', link])
  if (varyAlone !== '') all.push(['Vary', varyAlone])
  return { own, link, vary: names, varyAlone, all }
}
