export type { MaybePromise } from '../../internal/maybe-promise.ts'
export type { Middleware, Next } from '../../internal/middleware.ts'
export { escapeAttribute, escapeText } from '../../internal/xml-escape.ts'
export type { HeaderBlock, HeaderRules } from './envelope/header.ts'
export { type Envelope, type ParseEnvelopeOptions, parseEnvelope } from './envelope/parse.ts'
export { type EnvelopeParts, formatEnvelope } from './envelope/write.ts'
export { type FaultCode, SoapFault, type SoapFaultInit } from './fault.ts'
export { type RequestFacts, respondToRequest, wantsPage } from './http/read-request.ts'
export { type ResponseHeaders, sendSoapResponse } from './http/send-response.ts'
export { type SoapOptions, soap, soapErrors } from './middleware.ts'
export type { Attachment, AttachmentLimits } from './mime/multipart.ts'
export type { AnyValue } from './schema/any-value.ts'
export type { ElementCodec, Schema } from './schema/compile.ts'
export type { ResolveImport } from './schema/documents.ts'
export { type AuthenticationHeaderOptions, authenticationHeader } from './security/authentication-header.ts'
export type { CredentialOptions, FindUser, StoredCredentials } from './security/credentials.ts'
export {
  type MemoryNonceStoreOptions,
  memoryNonceStore,
  type NonceResult,
  type NonceStore,
} from './security/nonce-store.ts'
export { type UsernameTokenOptions, usernameToken } from './security/username-token.ts'
export type {
  CallContext,
  DeclaredFaultInit,
  FaultContext,
  Handlers,
  Interceptor,
  OperationCall,
  OperationContext,
  OperationHandler,
  Operations,
  OperationTypes,
  ServiceSettings,
  ServiceVersion,
  SoapServiceOptions,
} from './service/options.ts'
export type { AuthenticatedUser, SoapRequest, SoapResponse } from './service/request.ts'
export {
  type OutgoingMessage,
  type SecurityContext,
  type SecurityMechanism,
  securityFault,
} from './service/security.ts'
export { type SoapService, soapService } from './service/service.ts'
export { type FaultRecord, httpStatusFor, type ToFaultOptions, toFault } from './to-fault.ts'
export type { Streamable } from './types/streamable.ts'
export type { ContractPort, ContractService, PortOptions } from './wsdl/bindings.ts'
export { type Contract, type ParseContractOptions, parseContract } from './wsdl/contract.ts'
export type { DeclaredFault, Message, MessageHeader } from './wsdl/messages.ts'
export type { Operation } from './wsdl/operations.ts'
export type { XmlAttribute, XmlElement } from './xml/element.ts'
export type { MessageLimits } from './xml/limits.ts'
export type { QName, SoapVersion } from './xml/names.ts'
