export { expandCurie } from './curies.ts'
export type {
  Curie,
  EmbedDefinition,
  FormsDocument,
  HalDocument,
  LinkDefinition,
  LinkEntry,
  RenderContext,
  ResourceDefinition,
  ResourceLinks,
} from './definition.ts'
export type { FormDefinition, FormTemplate } from './form.ts'
export type { FormOptions, FormProperty } from './form-property.ts'
export { type DocumentEmbeds, type DocumentLinks, hal, type LinkedDocument } from './hal.ts'
export { path } from './href.ts'
export type { JsonSchema, StandardJsonSchema } from './json-schema.ts'
export type { HalLink, LinkTarget } from './link.ts'
export { formatLinkHeader, type LinkHeaderEntry } from './link-header-format.ts'
export { type ParsedLink, type ParseLinkHeaderOptions, parseLinkHeader } from './link-header-parse.ts'
export {
  type HalPage,
  type Page,
  type PageFormat,
  type PageOptions,
  type PageParts,
  page,
} from './page.ts'
export type { PageLinks } from './page-links.ts'
export { type HalReader, parseHal } from './parse-hal.ts'
export type { Query } from './query.ts'
export { type Resource, resource } from './resource.ts'
export type { PageInfo } from './stringify-page.ts'
export { expandUriTemplate, UriTemplate } from './uri-template.ts'
export type { TemplateVariables } from './uri-template-expand.ts'
