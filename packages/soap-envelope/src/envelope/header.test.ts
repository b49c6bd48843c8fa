import { type Envelope, parseEnvelope, SoapFault } from '@svc/soap-envelope'
import { describe, expect, test } from 'vitest'
import { ENV11, ENV12 } from '../testing/shop.ts'

const HERE = 'urn:test:role'

function read(block: string, namespace = ENV12): Promise<Envelope> {
  const xml =
    `<e:Envelope xmlns:e="${namespace}" xmlns:t="urn:t" xmlns:o="${namespace === ENV12 ? ENV11 : ENV12}">` +
    `<e:Header>${block}</e:Header><e:Body/></e:Envelope>`
  return parseEnvelope(Buffer.from(xml), {
    roles: [HERE],
    understoodHeaders: ({ element }) => element.local === 'known',
  })
}

async function findOutcome(block: string, namespace?: string): Promise<string> {
  try {
    await read(block, namespace)
    return 'accepted'
  } catch (error) {
    if (!(error instanceof SoapFault)) throw error
    return error.subcodes[0]?.local ?? error.code
  }
}

describe('SOAP 1.2 part 1, 2.4 and 5.2', () => {
  test.each([
    // H1: targeted at us
    ['no role (T01)', '<t:h e:mustUnderstand="1"/>', 'MustUnderstand'],
    ['an empty role', '<t:h e:mustUnderstand="1" e:role=""/>', 'MustUnderstand'],
    ['role next (T02)', `<t:h e:mustUnderstand="1" e:role="${ENV12}/role/next"/>`, 'MustUnderstand'],
    [
      'role ultimateReceiver (T03)',
      `<t:h e:mustUnderstand="1" e:role="${ENV12}/role/ultimateReceiver"/>`,
      'MustUnderstand',
    ],
    ['a role of ours (T04)', `<t:h e:mustUnderstand="1" e:role="${HERE}"/>`, 'MustUnderstand'],
    // H2: others
    ['role none (T19)', `<t:h e:mustUnderstand="1" e:role="${ENV12}/role/none"/>`, 'accepted'],
    ['another role (T05)', '<t:h e:mustUnderstand="1" e:role="urn:other"/>', 'accepted'],
    ['a long role (T29)', `<t:h e:mustUnderstand="1" e:role="urn:${'x'.repeat(4000)}"/>`, 'accepted'],
    ['no boolean for another role', '<t:h e:mustUnderstand="x" e:role="urn:other"/>', 'accepted'],
    ['the role of the other version', `<t:h e:mustUnderstand="1" e:role="urn:other" o:actor=""/>`, 'accepted'],
    // H3: the value
    ['true (T10)', '<t:h e:mustUnderstand="true"/>', 'MustUnderstand'],
    ['true with white space', '<t:h e:mustUnderstand=" true "/>', 'MustUnderstand'],
    ['0 (T11)', '<t:h e:mustUnderstand="0"/>', 'accepted'],
    ['false', '<t:h e:mustUnderstand="false"/>', 'accepted'],
    ['an empty value (T23)', '<t:h e:mustUnderstand=""/>', 'InvalidEnvelope'],
    ['another word (T14)', '<t:h e:mustUnderstand="wrong"/>', 'InvalidEnvelope'],
    ['TRUE', '<t:h e:mustUnderstand="TRUE"/>', 'InvalidEnvelope'],
    ['the attribute in no namespace', '<t:h mustUnderstand="1"/>', 'accepted'],
    ['the attribute of the other version (T34)', '<t:h o:mustUnderstand="1"/>', 'accepted'],
    // H4: the place
    ['deeper than a block (T74)', '<t:h><t:i e:mustUnderstand="1"/></t:h>', 'accepted'],
    // H6: unknown and optional
    ['an unknown block (T37)', '<t:h/>', 'accepted'],
    ['a block to be relayed (T38)', '<t:h e:relay="true"/>', 'accepted'],
    ['a known mandatory block', '<t:known e:mustUnderstand="1"/>', 'accepted'],
    [
      'a known and an unknown block (T36)',
      '<t:known e:mustUnderstand="1"/><t:h e:mustUnderstand="1"/>',
      'MustUnderstand',
    ],
  ])('%s', async (_, block, expected) => {
    expect(await findOutcome(block)).toBe(expected)
  })
})

describe('SOAP 1.1, 4.2', () => {
  test.each([
    ['no actor', '<t:h e:mustUnderstand="1"/>', 'MustUnderstand'],
    [
      'actor next',
      '<t:h e:mustUnderstand="1" e:actor="http://schemas.xmlsoap.org/soap/actor/next"/>',
      'MustUnderstand',
    ],
    ['another actor', '<t:h e:mustUnderstand="1" e:actor="urn:other"/>', 'accepted'],
    ['0', '<t:h e:mustUnderstand="0"/>', 'accepted'],
    ['true, which is of 1.2 alone', '<t:h e:mustUnderstand="true"/>', 'InvalidEnvelope'],
  ])('%s', async (_, block, expected) => {
    expect(await findOutcome(block, ENV11)).toBe(expected)
  })
})

test('gives the blocks with what they ask for', async () => {
  const { headers } = await read(`<t:a/><t:known e:mustUnderstand="true"/><t:c e:role="urn:other"/>`)
  expect(
    headers.map(({ element, targeted, mustUnderstand, role }) => [element.local, targeted, mustUnderstand, role]),
  ).toEqual([
    ['a', true, false, ''],
    ['known', true, true, ''],
    ['c', false, false, 'urn:other'],
  ])
})

test('names each block that is not understood once, sixteen at most (H5)', async () => {
  const blocks = Array.from({ length: 20 }, (_, at) => `<t:h${at} e:mustUnderstand="1"/>`).join('')
  const fault = await read(`<t:h0 e:mustUnderstand="1"/>${blocks}`).catch((error: unknown) => error)
  expect(fault).toBeInstanceOf(SoapFault)
  const { notUnderstood } = fault as SoapFault
  expect(notUnderstood).toHaveLength(16)
  expect(notUnderstood[0]).toEqual({ uri: 'urn:t', local: 'h0' })
})
