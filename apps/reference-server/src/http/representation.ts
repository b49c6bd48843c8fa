import type { Representation } from '@svc/negotiate'
import { type PreparedRepresentation, prepareRepresentation } from '@svc/negotiate/prepared'
import type { ActionResult } from '../engine/action.ts'
import type { RenderContext } from '../engine/compiled-collection.ts'
import type { CacheClass } from '../engine/define.ts'
import type { RequestState } from '../engine/request-state.ts'
import { groupList } from '../engine/route.ts'
import type { Formats } from '../formats/formats.ts'
import { getPage } from '../formats/json.ts'
import type { SiteConfig } from '../formats/pages/view.ts'
import { joinHeaders } from './pipeline.ts'

const CACHE_CONTROL: Readonly<Record<CacheClass, string>> = {
  public: 'public, max-age=300, stale-while-revalidate=60',
  private: 'private, no-cache',
  never: 'no-store',
}

/** Links of a page repeat its query. Clients accept header sections of 16 KiB. */
const MAX_LINKS_LENGTH = 8192

const VARY: readonly string[] = ['Accept']
const VARY_BY_WISH = [...VARY, 'Prefer']

/** Returns the representation of a result: everything but its encoding, its length and its date. */
export function createRepresentation(
  { req, negotiated, caller, match }: RequestState,
  result: ActionResult,
  context: RenderContext,
  { site, formats }: { site: SiteConfig; formats: Formats },
): Representation {
  const { status, content, lastModified } = result
  const safe = match?.action.isSafe ?? false
  // What a caller may see is not for others.
  const cache = result.cache === 'public' && (caller || !safe) ? 'private' : result.cache
  const headers: Record<string, string> = { ...result.headers }
  if (result.location !== undefined) headers['Location'] = context.base + result.location
  if (result.contentLocation !== undefined) headers['Content-Location'] = context.base + result.contentLocation
  const groups = match?.action.groups
  // A deferred change has not changed anything yet.
  if (groups !== undefined && !safe && status !== 202) headers['Cache-Group-Invalidation'] = groups
  if (groups !== undefined && safe && cache !== 'never') headers['Cache-Groups'] = addEmbeddedGroups(groups, content)
  let vary = result.headers?.['Preference-Applied'] === undefined ? VARY : VARY_BY_WISH
  // A shared cache must not serve the links of one caller to another.
  if (result.cache === 'public' && content && (content.kind !== 'record' || content.links !== undefined))
    vary = [...vary, 'Authorization']
  const common = { status, headers, lastModified, cacheControl: CACHE_CONTROL[cache], vary }
  if (result.file) {
    const { type, name, bytes } = result.file
    headers['Content-Disposition'] = `attachment; filename="${name}"`
    headers['Accept-Ranges'] = 'none'
    return { ...common, type, body: bytes }
  }
  if (!content) return { ...common, lastModified: undefined }
  const format = formats.find(negotiated?.format ?? '', content)
  if (content.kind === 'page' && !content.isWhole) {
    const links = getPage(content, context).linkHeader()
    if (links.length <= MAX_LINKS_LENGTH) headers['Link'] = [headers['Link'], links].filter(Boolean).join(', ')
  }
  const representation: Representation = {
    ...common,
    type: (negotiated?.format === format.type ? negotiated.type : format.type) + format.parameters,
    ...buildVersion(result, context),
    body: () => format.encode(content, context, { req, representation, site }),
  }
  return format.adapt?.(representation, req) ?? representation
}

/**
 * Prepares the representation of a result of GET; `undefined` if it is not text, or not a success.
 * An item has the headers of the one before, except those that its own state decides.
 */
export function prepareResult(
  state: RequestState,
  result: ActionResult,
  context: RenderContext,
  tools: { site: SiteConfig; formats: Formats },
): PreparedRepresentation | undefined {
  const { req, known, caller, negotiated, common, versionHeaders } = state
  const { status, content, headers, lastModified, cache } = result
  const isOpen = caller === undefined
  const version = headers || content?.kind !== 'item' ? undefined : buildVersion(result, context)
  if (content && version && known?.sample?.cache === cache && known.sample.isOpen === isOpen && status === 200) {
    const format = tools.formats.find(negotiated?.format ?? '', content)
    const body = format.encode(content, context, { req, representation: {}, site: tools.site })
    return typeof body === 'string' ? known.sample.prepared.prepareOther({ body, lastModified, ...version }) : undefined
  }
  const { body, ...representation } = createRepresentation(state, result, context, tools)
  const text = typeof body === 'function' && status === 200 ? body() : undefined
  if (typeof text !== 'string') return undefined
  const joined = joinHeaders({ ...common, ...versionHeaders }, representation)
  const prepared = prepareRepresentation({ ...representation, headers: joined, body: text })
  if (known && version) known.sample = { cache, isOpen, prepared }
  return prepared
}

// Embedded items may belong to other collections.
function addEmbeddedGroups(groups: string, content: ActionResult['content']): string {
  if (!content || content.kind === 'record' || !content.embedded) return groups
  const { embedded, shape } = content
  const others = [...embedded.keys()].flatMap((relation) => shape.related(relation)?.collection.name ?? [])
  return groupList([shape.collection.name, ...others])
}

/**
 * Returns what the ETag is built from, unless it is a hash of the content. The representation of an
 * item depends on more than its state: the API version, the caller, the requested fields, and the
 * values that the database computes from other rows.
 */
function buildVersion(
  { version: state, content }: ActionResult,
  { version, caller }: RenderContext,
): { version: string; variant: string } | undefined {
  if (state === undefined) return undefined
  // The form of a record is that of the caller.
  if (content?.kind === 'record' && content.form) return { version: state, variant: `${version}|${caller?.mark ?? ''}` }
  if (content?.kind !== 'item') return { version: state, variant: version }
  const { item, shape, fields } = content
  let variant = `${version}|${caller?.mark ?? ''}|${fields ? [...fields].sort().join() : ''}`
  for (const name of shape.computed) variant += `|${item[name] ?? ''}`
  return { version: state, variant }
}
