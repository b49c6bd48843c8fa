export { soapClient } from './client/client.ts'
export { type LoadContractOptions, loadContract } from './client/load-contract.ts'
export type {
  CallOptions,
  ClientCall,
  ClientInterceptor,
  ClientSecurity,
  NamedFault,
  PortType,
  SoapClient,
  SoapClientOptions,
  SoapReply,
  TypedFault,
} from './client/options.ts'
export type { TokenCredentials } from './security/write-token.ts'
