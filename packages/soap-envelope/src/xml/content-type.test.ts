import { expect, test } from 'vitest'
import { readContentType } from './content-type.ts'

test.each([
  [undefined, '', undefined, undefined],
  ['', '', undefined, undefined],
  ['application/soap+xml', 'application/soap+xml', undefined, undefined],
  ['Application/SOAP+XML;charset=UTF-8', 'application/soap+xml', 'UTF-8', undefined],
  ['text/xml; charset="utf-8"', 'text/xml', 'utf-8', undefined],
  ['application/soap+xml; action="getCustomer"; charset=utf-8', 'application/soap+xml', 'utf-8', 'getCustomer'],
  ['application/soap+xml ; ACTION = getCustomer', 'application/soap+xml', undefined, 'getCustomer'],
  ['application/soap+xml; action="a;b=\\"c\\""', 'application/soap+xml', undefined, 'a;b="c"'],
  ['application/soap+xml; action=', 'application/soap+xml', undefined, ''],
  ['application/soap+xml; charset=utf-8; charset=latin1', 'application/soap+xml', 'utf-8', undefined],
  ['application/soap+xml; __proto__=x; constructor=y', 'application/soap+xml', undefined, undefined],
  ['multipart/related; type="application/soap+xml"; boundary=x', 'multipart/related', undefined, undefined],
])('reads %j (RFC 9110 8.3.1, RFC 3902 2)', (value, type, charset, action) => {
  expect(readContentType(value)).toMatchObject({ type, charset, action })
})
