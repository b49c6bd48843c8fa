import {
  authenticationHeader,
  parseEnvelope,
  type SoapService,
  type UsernameTokenOptions,
  usernameToken,
} from '@svc/soap-envelope'
import { clock } from '../../../internal/testing/clock.ts'
import { passwordDigest } from '../security/username-token.ts'
import { BASE64_BINARY, PASSWORD_DIGEST, PASSWORD_TEXT, WSSE, WSU } from '../xml/names.ts'
import { envelope, getCustomer, SHOP, shopService } from './shop.ts'

export const time = clock(Date.UTC(2026, 10, 21, 7, 30))
export const NOW = '2026-11-21T07:30:00Z'
export const NONCE = 'MTIzNDU2Nzg5MDEyMzQ1Ng=='

export const users = new Map([
  ['ada', { password: 'ada-demo', subject: 7 }],
  ['bob', { verify: (password: string) => Promise.resolve(password === 'bob-demo'), subject: 8 }],
  ['Zoë & <co>', { password: 'pässwörd <&>', subject: 9 }],
])
export const findUser = (name: string) => users.get(name)

export function serviceWith(options: Partial<UsernameTokenOptions> = {}): SoapService {
  return shopService(
    {
      security: [
        usernameToken({ findUser, now: time.now, ...options }),
        authenticationHeader({ namespace: SHOP, findUser }),
      ],
    },
    {
      getCustomer: (_: unknown, { user }) => ({
        customer: { id: user?.subject, name: user?.name, email: '' },
      }),
    },
  )
}

/** `200 name`, or the subcode of the fault. */
export async function findOutcome(header: string, service = serviceWith(), isSecure = true): Promise<string> {
  const body = Buffer.from(envelope(getCustomer(), header))
  const answer = await service.handle({ method: 'POST', contentType: 'application/soap+xml', body, isSecure })
  const envelopeRead = await parseEnvelope(Buffer.from(answer.body))
  if (answer.status === 200) return `200 ${envelopeRead.body?.children[0]?.children[1]?.text}`
  return answer.body.match(/<env:Subcode><env:Value xmlns:f="[^"]*">f:([^<]*)/)?.[1] ?? answer.body
}

export const security = (inner: string, attributes = ''): string =>
  `<w:Security xmlns:w="${WSSE}" xmlns:u="${WSU}"${attributes}>${inner}</w:Security>`
export const username = (name = 'ada'): string => `<w:Username>${name}</w:Username>`
export const password = (value: string, type = PASSWORD_TEXT): string =>
  `<w:Password Type="${type}">${value}</w:Password>`
export const createNonce = (value = NONCE): string => `<w:Nonce EncodingType="${BASE64_BINARY}">${value}</w:Nonce>`
export const createdAt = (value = NOW): string => `<u:Created>${value}</u:Created>`
export const token = (inner: string): string => security(`<w:UsernameToken>${inner}</w:UsernameToken>`)
export const createDigest = (created = NOW, secret = 'ada-demo', nonce = NONCE): string =>
  passwordDigest(Buffer.from(nonce, 'base64'), created, secret)
export const digest = (value: string): string => password(value, PASSWORD_DIGEST)
export const good = (): string => token(username() + digest(createDigest()) + createNonce() + createdAt())
