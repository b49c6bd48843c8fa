import { gzipSync } from 'node:zlib'
import { type SoapRequest, usernameToken } from '@svc/soap-envelope'
import { x509Signature } from '@svc/soap-envelope/signature'
import { STR_TRANSFORM } from '../signature/algorithms.ts'
import { WSSE } from '../xml/names.ts'
import { FOR_SIGNATURES, issue } from './certificates.ts'
import { faultIn, post } from './post.ts'
import { ENV11, envelope, getCustomer, shopService } from './shop.ts'
import { authority, DS, signAgain, signedMessage, time } from './signing.ts'
import { good, password, token, time as tokenTime, username } from './tokens.ts'

/** A request. Its parts default to those of a SOAP 1.2 message over HTTPS. */
export type Sample = Partial<SoapRequest> & { readonly xml: string | Uint8Array }

/** Something that a message may have, and a check of how the service handles it. */
export interface MessageRow {
  readonly state: 'supported' | 'rejected' | 'ignored'
  readonly feature: string
  /** One for each thing that the feature names. */
  readonly samples: readonly Sample[]
  /** The fault of the messages, if they are rejected. */
  readonly fault?: string
}

const service = shopService({
  addressing: true,
  attachments: {},
  publicOperations: ['getCustomer', 'note', 'echo'],
  security: [
    usernameToken({
      findUser: (name) => (name === 'ada' ? { password: 'ada-demo', subject: 1 } : undefined),
      now: tokenTime.now,
    }),
    x509Signature({ trustedAuthorities: [authority.certificate], now: time.now }),
  ],
})

const XOP = 'http://www.w3.org/2004/08/xop/include'
const KERBEROS = 'http://docs.oasis-open.org/wss/oasis-wss-kerberos-token-profile-1.1#GSS_Kerberosv5_AP_REQ'
const WSA = 'http://www.w3.org/2005/08/addressing'
const addressing = (replyTo: string): string =>
  `<a:Action xmlns:a="${WSA}">getCustomer</a:Action><a:MessageID xmlns:a="${WSA}">urn:1</a:MessageID>` +
  `<a:ReplyTo xmlns:a="${WSA}"><a:Address>${replyTo}</a:Address></a:ReplyTo>`
const block = (attributes: string): string => `<h:h xmlns:h="urn:h" ${attributes}/>`
const securityBlock = (inner: string): string => `<w:Security xmlns:w="${WSSE}">${inner}</w:Security>`
const message = (header = ''): string => envelope(getCustomer(), header)
const related = (type: string): Partial<SoapRequest> => ({
  contentType: `multipart/related; boundary=b; type="${type}"; start-info="application/soap+xml"`,
})
const rootPart = (type: string, body: string): string => `Content-Type: ${type}\r\n\r\n${envelope(body)}`
const multipart = (parts: readonly string[]): string => `--b\r\n${parts.join('\r\n--b\r\n')}\r\n--b--\r\n`
const writeEverything = (base64: string): string =>
  '<s:EchoRequest><s:string/><s:long>1</s:long><s:int>1</s:int><s:unsignedByte>1</s:unsignedByte><s:decimal>1</s:decimal>' +
  '<s:double>1</s:double><s:boolean>1</s:boolean><s:dateTime>2026-01-02T03:04:05Z</s:dateTime>' +
  `<s:base64>${base64}</s:base64><s:nillable>1</s:nillable>` +
  '<s:party xmlns:c="urn:test:common"><c:id>1</c:id><c:name/></s:party><s:right>1</s:right></s:EchoRequest>'

const sample = (text: string | Uint8Array, request: Partial<SoapRequest> = {}): Sample => ({ ...request, xml: text })
const named = (charset: string): Partial<SoapRequest> => ({ contentType: `application/soap+xml; charset=${charset}` })
type Samples = readonly (string | Uint8Array | Sample)[]
const toSamples = (samples: Samples): Sample[] =>
  samples.map((each) => (typeof each === 'string' || each instanceof Uint8Array ? sample(each) : each))

const supported = (feature: string, ...samples: Samples): MessageRow => ({
  state: 'supported',
  feature,
  samples: toSamples(samples),
})
const rejected = (feature: string, fault: string, ...samples: Samples): MessageRow => ({
  state: 'rejected',
  feature,
  fault,
  samples: toSamples(samples),
})
const ignored = (feature: string, ...samples: Samples): MessageRow => ({
  state: 'ignored',
  feature,
  samples: toSamples(samples),
})

const utf16 = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, 'utf16le')
const signedBy = (algorithm: string): string =>
  signedMessage({ identity: issue('/CN=Ada', { algorithm, extensions: FOR_SIGNATURES, issuer: authority }) })
const signedAs = (algorithm: string): string =>
  signAgain(
    signedMessage().replace(/<ds:SignatureMethod Algorithm="[^"]*"/, `<ds:SignatureMethod Algorithm="${algorithm}"`),
  )

/** The table of the docs. The test tries each message of each row. */
export const MESSAGES: readonly MessageRow[] = [
  supported('SOAP 1.2', message()),
  supported('SOAP 1.1', sample(envelope(getCustomer(), '', ENV11), { contentType: 'text/xml; charset=utf-8' })),
  supported('UTF-8', Buffer.from(message())),
  supported('UTF-16 with a byte order mark', sample(utf16(message()), { contentType: 'application/soap+xml' })),
  supported('WS-Addressing 1.0, anonymous replies', message(addressing(`${WSA}/anonymous`))),
  supported('UsernameToken, as text and digest', message(token(username() + password('ada-demo'))), message(good())),
  supported(
    'X.509 signatures: RSA and ECDSA, SHA-256 and longer',
    signedMessage(),
    ...['P-256', 'P-384', 'P-521'].map(signedBy),
  ),
  supported(
    'attachments: MTOM/XOP, SOAP with Attachments',
    sample(
      multipart([
        rootPart('application/xop+xml', writeEverything(`<x:Include xmlns:x="${XOP}" href="cid:a"/>`)),
        'Content-ID: <a>\r\n\r\nbytes',
      ]),
      related('application/xop+xml'),
    ),
    sample(
      multipart([rootPart('application/soap+xml', getCustomer()), 'Content-ID: <a>\r\n\r\nbytes']),
      related('application/soap+xml'),
    ),
  ),
  rejected(
    'DOCTYPE, entities',
    'DtdNotAllowed',
    `<!DOCTYPE x>${message()}`,
    `<!DOCTYPE x [<!ENTITY e "1">]>${message()}`,
  ),
  rejected('processing instructions', 'ProcessingInstructionNotAllowed', `<?x?>${message()}`),
  rejected('UTF-16 without a mark', 'UnsupportedMediaType', sample(message(), named('utf-16'))),
  rejected('other encodings', 'UnsupportedMediaType', sample(message(), named('iso-8859-1'))),
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
    signedAs(`${DS}rsa-sha1`),
    signedAs('http://www.w3.org/2001/04/xmldsig-more#hmac-sha256'),
  ),
  rejected(
    'signatures of tokens by STR-Transform',
    'UnsupportedAlgorithm',
    signAgain(signedMessage().replace(/<ds:Transform Algorithm="[^"]*"/, `<ds:Transform Algorithm="${STR_TRANSFORM}"`)),
  ),
  rejected(
    'SAML and Kerberos tokens',
    'UnsupportedSecurityToken',
    message(securityBlock('<s:Assertion xmlns:s="urn:oasis:names:tc:SAML:2.0:assertion"/>')),
    message(securityBlock(`<w:BinarySecurityToken ValueType="${KERBEROS}">AAAA</w:BinarySecurityToken>`)),
  ),
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
export async function findOutcome({ xml, ...request }: Sample): Promise<string> {
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
