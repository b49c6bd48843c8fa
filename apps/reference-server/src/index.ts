// API for extensions, tests and tools: to start the service, to extend it, and to write its pages.
export type { Middleware } from '@svc/negotiate'
export { createApp } from './app.ts'
export { type Config, type Environment, readConfig } from './config.ts'
export type { Connection } from './database/connection.ts'
export { collections } from './domain/collections.ts'
export { migrations } from './domain/migrations.ts'
export { DEMO_USERS, type DemoUser, demoPassword } from './domain/seed/demo-users.ts'
export type { CustomerPortType } from './domain/soap/customer-v2.ts'
export type { PricePortType } from './domain/soap/price-v2.ts'
export { readContracts } from './domain/soap/services.ts'
export { apiVersions } from './domain/versions.ts'
export type { ActionContext, ActionResult } from './engine/action.ts'
export * as engine from './engine/index.ts'
export { parseJson } from './engine/read-body.ts'
export { requestStateOf } from './engine/request-state.ts'
export { type RecordInfo, type Route, recordRoute, route } from './engine/route.ts'
export { describeAllowed } from './engine/validate.ts'
export type { ApiVersion } from './engine/versions.ts'
export type { Format } from './formats/format.ts'
export { createFormats } from './formats/formats.ts'
export { loadAsset } from './formats/pages/assets.ts'
export {
  codeBlock,
  codeView,
  command,
  formatCurl,
  type HttpCall,
  methodTag,
  requestMessage,
  responseMessage,
  toTone,
} from './formats/pages/exchange.ts'
export { type Content, type Html, html } from './formats/pages/html.ts'
export { belowPublicUrl, breadcrumbs } from './formats/pages/layout.ts'
export { type TextCatalog, text, texts } from './formats/pages/texts.ts'
export type { Asset, SiteAdditions, SiteLink } from './formats/pages/view.ts'
export { maskHeaders, type Page, type PageOf, type PageView, selectLanguage } from './formats/pages/view.ts'
export type { AppDependencies, CreateExtension, Extension } from './http/dependencies.ts'
export { MAX_LOGGED_TARGET, maskUrl } from './http/log.ts'
export { createSoapService, type SoapPath, type SoapServiceDefinition } from './http/soap/endpoints.ts'
export { badParameter, failure, invalid, type Problem } from './messages/errors.ts'
export { type Language, languages, numberIn } from './messages/locale.ts'
export { CHALLENGES } from './security/caller.ts'
export type { Issuer, SigningKey } from './security/issuer.ts'
export { getBaseUrl } from './security/origin.ts'
export { listScopes } from './security/scopes.ts'
export { findUser } from './security/users.ts'
export { type Running, type StartOptions, start } from './start.ts'
