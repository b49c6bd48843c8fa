import { parseEnvelope, SoapFault } from '@svc/soap-envelope'
import { describe, expect, test } from 'vitest'
import { ENV11, ENV12 } from '../testing/shop.ts'
import { toStream } from '../testing/stream-of.ts'

const SOAP_TYPE = 'application/soap+xml; charset=utf-8'

async function findOutcome(xml: string | Uint8Array, contentType?: string): Promise<string> {
  try {
    const bytes = typeof xml === 'string' ? Buffer.from(xml) : xml
    const { version, body } = await parseEnvelope(bytes, contentType === undefined ? {} : { contentType })
    return `${version} ${body?.local ?? '-'}`
  } catch (error) {
    expect(error).toBeInstanceOf(SoapFault)
    const { code, subcodes } = error as SoapFault
    return subcodes[0] ? `${code}/${subcodes[0].local}` : code
  }
}

const e12 = (inner: string, attributes = ''): string =>
  `<e:Envelope xmlns:e="${ENV12}" xmlns:t="urn:t"${attributes}>${inner}</e:Envelope>`
const e11 = (inner: string, attributes = ''): string =>
  `<e:Envelope xmlns:e="${ENV11}" xmlns:t="urn:t"${attributes}>${inner}</e:Envelope>`
const BODY = '<e:Body><t:x/></e:Body>'

describe('keeps the rules of the envelope (SOAP 1.2 part 1, 5)', () => {
  test.each([
    // E1
    ['a 1.2 envelope', e12(BODY), '1.2 x'],
    ['a 1.1 envelope', e11(BODY), '1.1 x'],
    ['an empty Body', e12('<e:Body/>'), '1.2 -'],
    [
      'the envelope of a draft (T24)',
      '<e:Envelope xmlns:e="http://www.w3.org/2001/12/soap-envelope"/>',
      'VersionMismatch',
    ],
    ['an Envelope in no namespace', '<Envelope><Body/></Envelope>', 'VersionMismatch'],
    ['a namespace that differs in case', `<e:Envelope xmlns:e="${ENV12.toUpperCase()}"/>`, 'VersionMismatch'],
    // E2
    ['no Envelope at all', `<e:Body xmlns:e="${ENV12}"/>`, 'Sender/InvalidEnvelope'],
    ['an envelope in small letters', `<e:envelope xmlns:e="${ENV12}"/>`, 'Sender/InvalidEnvelope'],
    ['a page', '<html><body/></html>', 'Sender/InvalidEnvelope'],
    // E3
    ['a Header before the Body', e12(`<e:Header/>${BODY}`), '1.2 x'],
    ['no Body (T69)', e12('<e:Header/>'), 'Sender/InvalidEnvelope'],
    ['nothing in the Envelope', e12(''), 'Sender/InvalidEnvelope'],
    ['a trailer (T70)', e12(`${BODY}<t:Trailer/>`), 'Sender/InvalidEnvelope'],
    ['a trailer in the namespace of the envelope', e12(`${BODY}<e:Trailer/>`), 'Sender/InvalidEnvelope'],
    ['a Body of another namespace', e12('<t:Body/>'), 'Sender/InvalidEnvelope'],
    ['a Body in no namespace', e12('<Body/>'), 'Sender/InvalidEnvelope'],
    ['a Body of the other version', e12(`<o:Body xmlns:o="${ENV11}"/>`), 'Sender/InvalidEnvelope'],
    ['two Bodies', e12(BODY + BODY), 'Sender/InvalidEnvelope'],
    ['two Headers', e12(`<e:Header/><e:Header/>${BODY}`), 'Sender/InvalidEnvelope'],
    ['a Header behind the Body', e12(`${BODY}<e:Header/>`), 'Sender/InvalidEnvelope'],
    ['text in the Envelope', e12(`text${BODY}`), 'Sender/InvalidEnvelope'],
    ['text in the Header', e12(`<e:Header>text</e:Header>${BODY}`), 'Sender/InvalidEnvelope'],
    ['text in the Body', e12('<e:Body>text<t:x/></e:Body>'), 'Sender/InvalidEnvelope'],
    ['CDATA in the Body', e12('<e:Body><![CDATA[x]]><t:x/></e:Body>'), 'Sender/InvalidEnvelope'],
    ['a no-break space in the Envelope', e12(`\u00a0${BODY}`), 'Sender/InvalidEnvelope'],
    ['white space everywhere', e12(` <e:Header> </e:Header>\n<e:Body>\t<t:x/>\r\n</e:Body> `), '1.2 x'],
    // E4
    ['an unqualified attribute on the Envelope (T71)', e12(BODY, ' a="1"'), 'Sender/InvalidEnvelope'],
    ['an unqualified attribute on the Header', e12(`<e:Header a="1"/>${BODY}`), 'Sender/InvalidEnvelope'],
    ['an unqualified attribute on the Body', e12('<e:Body a="1"/>'), 'Sender/InvalidEnvelope'],
    ['encodingStyle on the Envelope (T72)', e12(BODY, ' e:encodingStyle="urn:x"'), 'Sender/InvalidEnvelope'],
    ['encodingStyle on the Body (T28)', e12('<e:Body e:encodingStyle="urn:x"/>'), 'Sender/InvalidEnvelope'],
    ['a qualified attribute', e12('<e:Body t:id="1"><t:x/></e:Body>', ' t:a="1"'), '1.2 x'],
    ['encodingStyle on a 1.1 Envelope', e11(BODY, ' e:encodingStyle="urn:x"'), '1.1 x'],
    // E5, E6
    ['a document type (T25)', `<!DOCTYPE e>${e12(BODY)}`, 'Sender/DtdNotAllowed'],
    ['a processing instruction (T26)', e12(`<?p?>${BODY}`), 'Sender/ProcessingInstructionNotAllowed'],
    // E7
    ['a header block in no namespace', e12(`<e:Header><x/></e:Header>${BODY}`), 'Sender/InvalidEnvelope'],
    // E8
    ['encodingStyle none', e12(`<e:Body><t:x e:encodingStyle="${ENV12}/encoding/none"/></e:Body>`), '1.2 x'],
    ['another encodingStyle (T80)', e12('<e:Body><t:x e:encodingStyle="urn:x"/></e:Body>'), 'DataEncodingUnknown'],
    // E9
    ['two elements in the Body', e12('<e:Body><t:x/><t:y/></e:Body>'), 'Sender/InvalidEnvelope'],
    // E10
    ['comments everywhere (T66)', `<!-- a -->${e12(`<!-- -->${BODY}<!-- -->`)}<!-- -->`, '1.2 x'],
    ['an XML declaration (T67)', `<?xml version="1.0" encoding='UTF8' standalone="no"?>${e12(BODY)}`, '1.2 x'],
    ['default namespaces', `<Envelope xmlns="${ENV12}"><Body><x xmlns="urn:t"/></Body></Envelope>`, '1.2 x'],
    ['a prefix bound anew', e12(`<e:Body><e:x xmlns:e="urn:t"/></e:Body>`), '1.2 x'],
    ['a prefix of another version inside', e12(`<q:Body xmlns:q="${ENV12}"><t:x/></q:Body>`), '1.2 x'],
    // E11
    ['a mistake behind the Body', e12(`${BODY}<`), 'Sender/MalformedXml'],
    ['a second root behind the Envelope', `${e12(BODY)}<a/>`, 'Sender/MalformedXml'],
    ['a message that ends early', e12(BODY).slice(0, -3), 'Sender/MalformedXml'],
    ['nothing', '', 'Sender/MalformedXml'],
  ])('%s', async (_, xml, expected) => {
    expect(await findOutcome(xml)).toBe(expected)
  })
})

test.each([
  [SOAP_TYPE, e12(BODY), '1.2 x'],
  ['text/xml', e11(BODY), '1.1 x'],
  [SOAP_TYPE, e11(BODY), 'Sender/InvalidEnvelope'],
  ['text/xml; charset=utf-8', e12(BODY), 'Sender/InvalidEnvelope'],
  ['application/soap+xml; charset=iso-8859-1', e12(BODY), 'Sender/UnsupportedMediaType'],
  [SOAP_TYPE, `<?xml version="1.0" encoding="ISO-8859-1"?>${e12(BODY)}`, 'Sender/MalformedXml'],
])('with Content-Type %s reads the version that goes with it (RFC 3902 2)', async (contentType, xml, expected) => {
  expect(await findOutcome(xml, contentType)).toBe(expected)
})

test('reads UTF-16 with a byte order mark', async () => {
  expect(await findOutcome(Buffer.from(`\ufeff${e12(BODY)}`, 'utf16le'), 'application/soap+xml')).toBe('1.2 x')
})

describe('reads a stream', () => {
  function* chunksOf(bytes: Uint8Array, size: number): Iterable<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const text =
    '<?xml version="1.0" encoding="UTF-8"?>\r\n' +
    e12(
      '\r\n<e:Body>\r\n<t:x a="ä&#13;\r\n\t😀">a]]&gt;b<![CDATA[]]]]><![CDATA[>&<]]>\r\r\n日本😀&amp;<!-- ]] --></t:x></e:Body>',
    )

  test('gives the same for every place at which a message is split', async () => {
    const bytes = Buffer.from(text)
    const whole = await parseEnvelope(bytes)
    const expected = [whole.body?.text, whole.body?.attributes[0]?.value]
    expect(expected).toEqual(['a]]>b]]>&<\n\n日本😀&', 'ä\r  😀'])
    for (let split = 0; split <= bytes.length; split++) {
      const pieces = [bytes.subarray(0, split), bytes.subarray(split)]
      const { body } = await parseEnvelope(toStream(pieces))
      expect([body?.text, body?.attributes[0]?.value], `split at ${split}`).toEqual(expected)
    }
    for (const size of [1, 2, 3, 7, 64]) {
      const { body } = await parseEnvelope(toStream(chunksOf(bytes, size)))
      expect(body?.text).toBe(expected[0])
    }
  })

  test.each([
    ['what is not well-formed', `${e12('').slice(0, -13)}<&>`],
    ['another version', '<Envelope xmlns="urn:other">'],
    ['a document type', '<!DOCTYPE '],
    ['a mandatory header block', e12('<e:Header><t:h e:mustUnderstand="1"/></e:Header>').slice(0, -13)],
    ['text that is too long', `${e12('').slice(0, -13)}<e:Body><t:x>${'x'.repeat(300_000)}<`],
  ])('refuses %s before the end has come', async (_, start) => {
    let asked = 0
    function* endless(): Iterable<Uint8Array> {
      yield Buffer.from(start)
      for (;;) {
        asked++
        yield Buffer.from(' ')
      }
    }
    await expect(parseEnvelope(toStream(endless()))).rejects.toBeInstanceOf(SoapFault)
    expect(asked).toBe(0)
  })

  test('stops at the limit of bytes, and at a signal', async () => {
    function* endless(): Iterable<Uint8Array> {
      yield Buffer.from(e12('').slice(0, -13))
      for (;;) yield Buffer.alloc(65_536, ' ')
    }
    await expect(parseEnvelope(toStream(endless()), { limits: { maxBytes: 100_000 } })).rejects.toMatchObject({
      subcodes: [{ local: 'LimitExceeded' }],
      status: 413,
      httpStatus: 413,
    })
    const reason = new Error('enough')
    await expect(parseEnvelope(toStream(endless()), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  test('passes on the error of the stream itself', async () => {
    const broken = new Error('reset')
    const source = (function* (): Iterable<Uint8Array> {
      yield Buffer.from('<')
      throw broken
    })()
    await expect(parseEnvelope(toStream(source))).rejects.toBe(broken)
  })

  test('reads large bytes in slices and lets others have their turn', async () => {
    const bytes = Buffer.from(e12(`<e:Body><t:x>${'<t:y>日本</t:y>'.repeat(15_000)}</t:x></e:Body>`))
    let turns = 0
    const timer = setInterval(() => turns++, 0)
    const { body } = await parseEnvelope(bytes, { limits: { maxChildren: 20_000 } })
    clearInterval(timer)
    expect(body?.children).toHaveLength(15_000)
    expect(turns).toBeGreaterThan(0)
  })
})

test('counts header blocks', async () => {
  const blocks = '<t:h/>'.repeat(65)
  expect(await findOutcome(e12(`<e:Header>${blocks}</e:Header>${BODY}`))).toBe('Sender/LimitExceeded')
  expect(await findOutcome(e12(`<e:Header>${blocks.slice(6)}</e:Header>${BODY}`))).toBe('1.2 x')
})

test('refuses limits that do not exist', async () => {
  await expect(parseEnvelope(Buffer.from(''), { limits: { size: 1 } as object })).rejects.toThrow(TypeError)
})

describe('one message after the other', () => {
  const message = (name: string): Buffer => Buffer.from(e12(`<e:Body><t:${name}/></e:Body>`))

  test('each within its own limits', async () => {
    const long = 'n'.repeat(300)
    expect((await parseEnvelope(message(long), { limits: { maxNameLength: 400 } })).body?.local).toBe(long)
    await expect(parseEnvelope(message(long))).rejects.toMatchObject({ subcodes: [{ local: 'LimitExceeded' }] })
    await expect(parseEnvelope(message(long), { limits: { maxNameLength: 299 } })).rejects.toThrow(SoapFault)
    expect((await parseEnvelope(message('x'), { limits: { maxNameLength: 299 } })).body?.local).toBe('x')
  })

  test('each by its own rules', async () => {
    const header = '<e:Header><t:h e:mustUnderstand="1"/></e:Header>'
    const bytes = Buffer.from(e12(`${header}<e:Body><t:x/><t:y/></e:Body>`))
    const envelope = await parseEnvelope(bytes, { understoodHeaders: () => true, maxBodyElements: 2 })
    expect(envelope.bodyElements).toHaveLength(2)
    await expect(parseEnvelope(bytes, { maxBodyElements: 2 })).rejects.toMatchObject({ code: 'MustUnderstand' })
    await expect(parseEnvelope(bytes, { understoodHeaders: () => true })).rejects.toThrow(SoapFault)
    expect((await parseEnvelope(message('x'))).headers).toEqual([])
  })

  test('after one that was rejected in its middle', async () => {
    for (const wrong of ['<e:Body><t:x', '<e:Body><t:x><t:y', '<e:Body><q:x/></e:Body>']) {
      await expect(parseEnvelope(Buffer.from(e12(wrong)))).rejects.toThrow(SoapFault)
      const { body } = await parseEnvelope(message('x'))
      expect([body?.local, body?.text, body?.children]).toEqual(['x', '', []])
    }
  })

  test('one inside the other', async () => {
    const bytes = Buffer.from(e12(`<e:Header><t:h e:mustUnderstand="1"/></e:Header>${BODY}`))
    const inner: Promise<unknown>[] = []
    const understoodHeaders = (): boolean => inner.push(parseEnvelope(message('inner'))) > 0
    const { body } = await parseEnvelope(bytes, { understoodHeaders })
    expect(body?.local).toBe('x')
    expect(await Promise.all(inner)).toMatchObject([{ body: { local: 'inner' } }])
  })
})
