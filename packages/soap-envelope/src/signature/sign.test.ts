import { expect, test } from 'vitest'
import { FOR_SIGNATURES, issue } from '../testing/certificates.ts'
import { messageSigner } from './sign.ts'

const { privateKey, certificate } = issue('/CN=Server', { extensions: FOR_SIGNATURES })
const sign = messageSigner('test', { privateKey, certificate })
const XSI = 'xmlns:i="http://www.w3.org/2001/XMLSchema-instance"'

test.for([
  ['not if names use it, but not where it is declared', `<a:a xmlns:a="urn:a" xmlns:p="urn:p"><p:b/></a:a>`, undefined],
  ['not if nothing uses it', `<a:a xmlns:a="urn:a" xmlns:p="urn:p"><a:b>p</a:b></a:a>`, undefined],
  ['not if names use it where it is declared', `<p:a xmlns:p="urn:p"><p:b c="p:d"/></p:a>`, undefined],
  ['of a value', `<a:a xmlns:a="urn:a" xmlns:p="urn:p"><p:b/><a:c ${XSI} i:type="p:d"/></a:a>`, 'p'],
  ['next to that of a value', `<a:a xmlns:a="urn:a" ${XSI} xmlns:p="urn:p"><a:c i:type="p:d"/></a:a>`, 'i p'],
  ['of a text', `<a:a xmlns:a="urn:a" xmlns:p="urn:p"><a:b> p:c</a:b></a:a>`, 'p'],
  ['if it is the default one', `<a:a xmlns:a="urn:a" xmlns="urn:d"><a:b>c</a:b></a:a>`, '#default'],
] as const)('lists a prefix %s', ([, body, list]) => {
  const xml = sign({ version: '1.2', body, headers: [], attachments: [], tokens: '' })
  expect(/PrefixList="([^"]*)"/.exec(xml)?.[1]).toBe(list)
})
