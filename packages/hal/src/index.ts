export { expandCurie } from './curies.ts'
export type {
  Curie,
  EmbedDefinition,
  HalDocument,
  LinkDefinition,
  LinkEntry,
  LinksOf,
  RenderContext,
  ResourceDefinition,
} from './definition.ts'
export { path } from './href.ts'
export type { HalLink, LinkTarget } from './link.ts'
export { type Page, type PageForm, type PageInfo, type PageOptions, type PageParts, page } from './page.ts'
export type { PageLinks } from './page-links.ts'
export type { Query } from './query.ts'
export { type Resource, resource } from './resource.ts'
export { expand, UriTemplate } from './uri-template.ts'
export type { TemplateVariables } from './uri-template-expand.ts'
