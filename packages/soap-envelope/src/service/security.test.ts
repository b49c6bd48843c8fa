import { type AuthenticatedUser, authenticationHeader, type SoapRequest } from '@svc/soap-envelope'
import { describe, expect, test } from 'vitest'
import { faultIn, post } from '../testing/post.ts'
import { envelope, getCustomer, SHOP, shopService } from '../testing/shop.ts'
import { toStream } from '../testing/stream-of.ts'

describe('who may call', () => {
  const header = { uri: 'urn:h', local: 'Who' }
  const mechanism = {
    header,
    authenticate: ({ element }: { element: { text: string } }): AuthenticatedUser => ({
      name: element.text,
      subject: undefined,
    }),
  }
  const who = (name: string, more = ''): string => `<Who xmlns="urn:h"${more}>${name}</Who>`

  test.each<[string, string, Partial<SoapRequest>, string]>([
    ['no credentials', '', {}, '400 Sender/InvalidSecurity'],
    ['a header block', who('ada'), {}, '200 ada'],
    ['a mandatory header block', who('ada', ' env:mustUnderstand="1"'), {}, '200 ada'],
    ['a header block for another role', who('ada', ' env:role="urn:x"'), {}, '400 Sender/InvalidSecurity'],
    ['two header blocks', who('ada') + who('ada'), {}, '400 Sender/InvalidSecurity'],
    ['HTTP', '', { user: { name: 'ada', subject: 1 } }, '200 ada'],
    ['HTTP and a header block that agree', who('ada'), { user: { name: 'ada', subject: 1 } }, '200 ada'],
    [
      'HTTP and a header block that differ',
      who('eve'),
      { user: { name: 'ada', subject: 1 } },
      '400 Sender/InvalidSecurity',
    ],
    ['a user who may not', who('sam'), {}, '400 Sender/NotPermitted'],
  ])('%s', async (_, block, more, expected) => {
    const service = shopService(
      { security: [mechanism], authorize: ({ name }) => name !== 'sam' },
      { getCustomer: (_input: unknown, { user }) => ({ customer: { id: 1n, name: user?.name, email: '' } }) },
    )
    const answer = await post(service, envelope(getCustomer(), block), more)
    const name = answer.body.match(/<t2:name>([^<]*)/)?.[1]
    expect(answer.status === 200 ? `200 ${name}` : await faultIn(answer)).toBe(expected)
  })

  test('credentials are looked at before the message is decoded, and the operation does not run', async () => {
    let ran = false
    const service = shopService(
      { security: [] },
      {
        getCustomer: () => {
          ran = true
          return {}
        },
      },
    )
    expect(await faultIn(await post(service, envelope(getCustomer('x'))))).toBe('400 Sender/InvalidSecurity')
    expect(ran).toBe(false)
  })

  test('an operation may be open to all, and wrong credentials are refused there too', async () => {
    const findUser = (): undefined => undefined
    const service = shopService({
      security: [authenticationHeader({ namespace: SHOP, findUser })],
      publicOperations: ['getCustomer'],
    })
    expect((await post(service, envelope(getCustomer()), { isSecure: true })).status).toBe(200)
    const wrong = '<s:Authentication><s:Username>a</s:Username><s:Password>b</s:Password></s:Authentication>'
    expect(await faultIn(await post(service, envelope(getCustomer(), wrong), { isSecure: true }))).toBe(
      '400 Sender/FailedAuthentication',
    )
  })

  test('who is known is given to an open operation and not asked for a permission', async () => {
    const seen: unknown[] = []
    const service = shopService(
      { security: [mechanism], publicOperations: ['note'], authorize: () => false },
      { note: (_input: unknown, { user }) => void seen.push(user?.name) },
    )
    const note = '<s:NoteRequest><s:text>x</s:text></s:NoteRequest>'
    expect((await post(service, envelope(note, who('sam')))).status).toBe(202)
    expect((await post(service, envelope(note))).status).toBe(202)
    expect(seen).toEqual(['sam', undefined])
  })

  test('asking for a permission alone needs credentials too', async () => {
    const service = shopService({ authorize: ({ name }) => name === 'ada' })
    expect(await faultIn(await post(service, envelope(getCustomer())))).toBe('400 Sender/InvalidSecurity')
    expect((await post(service, envelope(getCustomer()), { user: { name: 'ada', subject: 1 } })).status).toBe(200)
  })

  test('header blocks may be declared as understood', async () => {
    const mandatory = envelope(getCustomer(), '<h xmlns="urn:h" env:mustUnderstand="1"/>')
    const names = shopService({ understoodHeaders: [{ uri: 'urn:h', local: 'h' }] })
    const byFunction = shopService({ understoodHeaders: ({ element }) => element.uri === 'urn:h' })
    expect((await post(names, mandatory)).status).toBe(200)
    expect((await post(byFunction, mandatory)).status).toBe(200)
    expect((await post(shopService(), mandatory)).status).toBe(500)
  })

  test.each([
    ['bytes', (xml: string) => Buffer.from(xml)],
    ['a stream', (xml: string) => toStream([Buffer.from(xml)])],
  ])('an error of understoodHeaders is an internal error that the client does not see, in %s', async (_, toBody) => {
    const mandatory = envelope(getCustomer(), '<h xmlns="urn:h" env:mustUnderstand="1"/>')
    const bug = new TypeError('secret')
    const causes: unknown[] = []
    const service = shopService({
      onFault: (fault) => causes.push(fault.cause),
      understoodHeaders: () => {
        throw bug
      },
    })
    const answer = await post(service, mandatory, { body: toBody(mandatory) })
    expect(await faultIn(answer)).toBe('500 Receiver/InternalError')
    expect(answer.body).not.toContain('secret')
    expect(causes).toEqual([bug])
  })
})
