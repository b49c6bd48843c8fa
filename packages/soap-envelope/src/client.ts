export {
  type CallOptions,
  type ClientCall,
  type ClientInterceptor,
  type ClientSecurity,
  type PortType,
  type SoapClient,
  type SoapClientOptions,
  type SoapReply,
  soapClient,
} from './client/client.ts'
export { type LoadContractOptions, loadContract } from './client/load-contract.ts'
export type { TokenCredentials } from './security/write-token.ts'
