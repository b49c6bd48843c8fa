import { SoapFault } from '@svc/soap-envelope'
import { prettyXml } from '@svc/soap-envelope/pretty'
import { expect, test } from 'vitest'
import { parseEnvelope } from './envelope/parse.ts'
import { createOrder, envelope, SHOP, shop } from './testing/shop.ts'

test('puts each element on its line and keeps the text', () => {
  expect(prettyXml('<a x="1 &lt;"><!-- c --><b>  1 &amp; 2 </b><c/><p:d xmlns:p="u"><p:e/></p:d></a>')).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<a x="1 &lt;">\n  <b>  1 &amp; 2 </b>\n  <c/>\n  <p:d xmlns:p="u">\n    <p:e/>\n  </p:d>\n</a>\n',
  )
  expect(prettyXml('<a> x <b/></a>', '\t')).toContain('<a>\n\tx\n\t<b/>\n</a>')
})

test('means the same as before', async () => {
  const message = envelope(shop.schema.encode({ uri: SHOP, local: 'ListOrdersResponse' }, { order: [createOrder(1)] }))
  const [before, after] = await Promise.all([message, prettyXml(message)].map((xml) => parseEnvelope(Buffer.from(xml))))
  expect(after?.body && shop.schema.decode(after.body)).toEqual(before?.body && shop.schema.decode(before.body))
})

test('refuses what is not well-formed', () => {
  expect(() => prettyXml('<a>')).toThrow(SoapFault)
})
