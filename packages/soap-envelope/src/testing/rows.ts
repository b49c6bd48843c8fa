import { setImmediate } from 'node:timers/promises'
import { type Contract, parseContract } from '@svc/soap-envelope'

export const ROWS = 'urn:test:rows'

const message = (name: string, content: string): string =>
  `<x:element name="${name}"><x:complexType><x:sequence>${content}</x:sequence></x:complexType></x:element>`
const operation = (name: string): string =>
  `<operation name="${name}"><input message="t:${name}"/><output message="t:${name}Response"/></operation>`
const bound = (name: string): string =>
  `<operation name="${name}"><s:operation soapAction="${name}"/><input><s:body use="literal"/></input>` +
  '<output><s:body use="literal"/></output></operation>'
const part = (name: string): string => `<message name="${name}"><part name="parameters" element="t:${name}"/></message>`

const NAMES = ['get', 'put', 'count']

/**
 * A contract whose operations take rows (`put`), return them (`get`), or both are short (`count`).
 */
export const rows: Contract = parseContract(`<definitions xmlns="http://schemas.xmlsoap.org/wsdl/"
    xmlns:s="http://schemas.xmlsoap.org/wsdl/soap12/" xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:t="${ROWS}"
    targetNamespace="${ROWS}"><types><x:schema targetNamespace="${ROWS}" elementFormDefault="qualified">
  <x:complexType name="Row"><x:sequence><x:element name="id" type="x:int"/><x:element name="name" type="x:string"/>
    <x:element name="amount" type="x:decimal"/></x:sequence><x:attribute name="currency" type="x:string"/></x:complexType>
  ${message('get', '<x:element name="limit" type="x:int"/>')}
  ${message('getResponse', '<x:element name="title" type="x:string"/><x:element name="row" type="t:Row" minOccurs="0" maxOccurs="unbounded"/>')}
  ${message('put', '<x:element name="title" type="x:string"/><x:element name="row" type="t:Row" maxOccurs="1000000"/>')}
  ${message('putResponse', '<x:element name="total" type="x:long"/>')}
  ${message('count', '')}${message('countResponse', '<x:element name="total" type="x:long"/>')}
</x:schema></types>${NAMES.map((name) => part(name) + part(`${name}Response`)).join('')}
<portType name="Rows">${NAMES.map(operation).join('')}</portType>
<binding name="B" type="t:Rows"><s:binding transport="http://schemas.xmlsoap.org/soap/http"/>${NAMES.map(bound).join('')}</binding>
<service name="RowsService"><port name="P" binding="t:B"><s:address location="http://localhost/rows"/></port></service>
</definitions>`)

export interface Row {
  id: number
  name: string
  amount: string
  '@currency'?: string
}

export const buildRow = (id: number): Row => ({
  id,
  name: `Customer <${id}> & Söhne of a street with a long name`,
  amount: `${id}.50`,
  '@currency': 'EUR',
})

/** Rows one by one. */
export async function* generateRows(count: number): AsyncGenerator<Row> {
  for (let id = 0; id < count; id++) {
    if (id % 1000 === 0) await setImmediate() // as a database gives its pages
    yield buildRow(id)
  }
}
