import { gzipSync } from 'node:zlib'
import { type SoapRequest, usernameToken } from '@svc/soap-envelope'
import { x509Signature } from '@svc/soap-envelope/signature'
import { STR_TRANSFORM } from '../signature/algorithms.ts'
import { WSSE } from '../xml/names.ts'
import { faultIn, post } from './post.ts'
import { ENV11, envelope, getCustomer, shopService } from './shop.ts'
import { authority, signAgain, signedMessage, time } from './signing.ts'
import { good, password, token, time as tokenTime, username } from './tokens.ts'

/** Something that a message may have, and a check of how the service handles it. */
export interface MessageRow {
  readonly state: 'supported' | 'rejected' | 'ignored'
  readonly feature: string
  /** The message. */
  readonly xml: string | Uint8Array
  readonly request?: Partial<SoapRequest>
  /** The fault of a message that is rejected. */
  readonly fault?: string
}

const service = shopService({
  addressing: true,
  attachments: {},
  publicOperations: ['getCustomer', 'note'],
  security: [
    usernameToken({
      findUser: (name) => (name === 'ada' ? { password: 'ada-demo', subject: 1 } : undefined),
      now: tokenTime.now,
    }),
    x509Signature({ trustedAuthorities: [authority.certificate], now: time.now }),
  ],
})

const WSA = 'http://www.w3.org/2005/08/addressing'
const addressing = (replyTo: string): string =>
  `<a:Action xmlns:a="${WSA}">getCustomer</a:Action><a:MessageID xmlns:a="${WSA}">urn:1</a:MessageID>` +
  `<a:ReplyTo xmlns:a="${WSA}"><a:Address>${replyTo}</a:Address></a:ReplyTo>`
const block = (attributes: string): string => `<h:h xmlns:h="urn:h" ${attributes}/>`
const securityBlock = (inner: string): string => `<w:Security xmlns:w="${WSSE}">${inner}</w:Security>`
const message = (header = ''): string => envelope(getCustomer(), header)
const multipart = (parts: readonly string[]): string => `--b\r\n${parts.join('\r\n--b\r\n')}\r\n--b--\r\n`
const related = { contentType: 'multipart/related; boundary=b; type="application/soap+xml"' }
const rootPart = `Content-Type: application/soap+xml; charset=utf-8\r\n\r\n${message()}`

const supported = (feature: string, xml: string | Uint8Array, request: Partial<SoapRequest> = {}): MessageRow => ({
  state: 'supported',
  feature,
  xml,
  request,
})
const rejected = (feature: string, fault: string, xml: string | Uint8Array, request = {}): MessageRow => ({
  state: 'rejected',
  feature,
  fault,
  xml,
  request,
})
const ignored = (feature: string, xml: string): MessageRow => ({ state: 'ignored', feature, xml })

const utf16 = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, 'utf16le')
const text11 = { contentType: 'text/xml; charset=utf-8' }

/** The table of the docs. The test tries each row. */
export const MESSAGES: readonly MessageRow[] = [
  supported('SOAP 1.2', message()),
  supported('SOAP 1.1', envelope(getCustomer(), '', ENV11), text11),
  supported('UTF-8', Buffer.from(message())),
  supported('UTF-16 with a byte order mark', utf16(message()), { contentType: 'application/soap+xml' }),
  supported('WS-Addressing 1.0, anonymous replies', message(addressing(`${WSA}/anonymous`))),
  supported('UsernameToken, as text and digest', message(good())),
  supported('X.509 signatures: RSA and ECDSA, SHA-256 and longer', signedMessage()),
  supported('attachments: MTOM/XOP, SOAP with Attachments', multipart([rootPart]), related),
  rejected('DOCTYPE, entities', 'DtdNotAllowed', `<!DOCTYPE x>${message()}`),
  rejected('processing instructions', 'ProcessingInstructionNotAllowed', `<?x?>${message()}`),
  rejected('UTF-16 without a mark', 'UnsupportedMediaType', message(), {
    contentType: 'application/soap+xml; charset=utf-16',
  }),
  rejected('other encodings', 'UnsupportedMediaType', message(), {
    contentType: 'application/soap+xml; charset=iso-8859-1',
  }),
  rejected('a compressed body that HTTP does not name', 'MalformedXml', gzipSync(message())),
  rejected('SOAP encoding', 'DataEncodingUnknown', envelope('<s:x env:encodingStyle="urn:x"/>')),
  rejected('replies to other addresses', 'OnlyAnonymousAddressSupported', message(addressing('http://localhost:1/'))),
  rejected(
    'header blocks with mustUnderstand that are unknown',
    'MustUnderstand',
    message(block('env:mustUnderstand="1"')),
  ),
  rejected(
    'signatures with SHA-1 or HMAC',
    'UnsupportedAlgorithm',
    signAgain(
      signedMessage().replace(
        /<ds:SignatureMethod Algorithm="[^"]*"/,
        '<ds:SignatureMethod Algorithm="http://www.w3.org/2000/09/xmldsig#rsa-sha1"',
      ),
    ),
  ),
  rejected(
    'signatures of tokens by STR-Transform',
    'UnsupportedAlgorithm',
    signAgain(signedMessage().replace(/<ds:Transform Algorithm="[^"]*"/, `<ds:Transform Algorithm="${STR_TRANSFORM}"`)),
  ),
  rejected('SAML and Kerberos tokens', 'UnsupportedSecurityToken', message(securityBlock('<s:Assertion/>'))),
  rejected(
    'encrypted parts (XML Encryption)',
    'UnsupportedSecurityToken',
    message(securityBlock('<e:EncryptedKey xmlns:e="http://www.w3.org/2001/04/xmlenc#"/>')),
  ),
  rejected('a wrong password', 'FailedAuthentication', message(token(username() + password('x')))),
  ignored('header blocks that are unknown', message(block(''))),
  ignored('header blocks for other roles', message(block('env:mustUnderstand="1" env:role="urn:other"'))),
  ignored('comments', message().replace('>42<', '>4<!-- -->2<')),
]

/** `200`, or the last code of the fault. */
export async function outcomeOfMessage({ xml, request }: MessageRow): Promise<string> {
  const answer = await post(service, '', { isSecure: true, body: Buffer.from(xml), ...request })
  return answer.status === 200 ? '200' : ((await faultIn(answer)).split(/[ /]/).at(-1) ?? '')
}

/** The table as Markdown. */
export function messageTable(): string {
  const lines = (['supported', 'rejected', 'ignored'] as const).map((state) => {
    const features = MESSAGES.filter((row) => row.state === state).map(({ feature }) => feature)
    return `| ${state} | ${features.join(' · ')} |`
  })
  return ['| A message with | |', '|---|---|', ...lines].join('\n')
}
