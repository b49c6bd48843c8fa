import { type Operations, type SoapService, soap } from '@svc/soap-envelope'
import { x509Signature } from '@svc/soap-envelope/signature'
import { listen, type RunningHost } from '../../../internal/testing/hosts.ts'
import { FOR_AUTHORITIES, FOR_SIGNATURES, type Identity, issue } from './certificates.ts'
import { shopService } from './shop.ts'

/** The user of a signed request is the name of the customer. */
const operations: Operations = {
  getCustomer: ({ customerId }: { customerId: bigint }, { user }) => ({
    customer: { id: customerId, name: user?.name, email: 'é <&> \r\n' },
  }),
}

export interface SignedShops {
  /** Issued the certificates of the client and of the services. */
  readonly authority: Identity
  readonly client: Identity
  /**
   * Services that verify requests and sign responses: `signed`; `altered`, whose responses are not
   * what it has signed; `unknown`, with a certificate that the authority has not issued.
   */
  readonly services: Readonly<Record<'signed' | 'altered' | 'unknown', SoapService>>
}

/** Creates services with signatures for a client of another library. */
export function signedShops(): SignedShops {
  const authority = issue('/CN=Interop authority', { extensions: FOR_AUTHORITIES })
  const createService = ({ privateKey, certificate }: Identity): SoapService => {
    const sign = { privateKey, certificate }
    return shopService({ security: [x509Signature({ trustedAuthorities: [authority.certificate], sign })] }, operations)
  }
  const signed = createService(issue('/CN=Server', { extensions: FOR_SIGNATURES, issuer: authority, serial: 6 }))
  return {
    authority,
    client: issue('/CN=Ada', { extensions: FOR_SIGNATURES, issuer: authority, serial: 5 }),
    services: {
      signed,
      altered: alter(signed),
      unknown: createService(issue('/CN=Server', { extensions: FOR_SIGNATURES })),
    },
  }
}

function alter(service: SoapService): SoapService {
  return {
    ...service,
    handle: async (request) => {
      const answer = await service.handle(request)
      return { ...answer, body: answer.body.replace('CN=Ada', 'CN=Eve') }
    },
  }
}

/** Serves each service at a path of its name. */
export function listenTo(services: Readonly<Record<string, SoapService>>): Promise<RunningHost> {
  const handlers = new Map(Object.entries(services).map(([name, service]) => [`/${name}`, soap(service)]))
  return listen((req, res) => {
    const [path = ''] = (req.url ?? '').split('?')
    handlers.get(path)?.(req, res, () => res.end())
  })
}
