import { inOnePiece } from '../harness/strings.ts'

const NS = 'http://example.com/customers'

/** A contract that every implementation understands. */
export const wsdl = `<?xml version="1.0" encoding="UTF-8"?>
<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
    xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:t="${NS}" targetNamespace="${NS}">
  <wsdl:types>
    <xsd:schema targetNamespace="${NS}" elementFormDefault="qualified">
      <xsd:complexType name="Customer"><xsd:sequence>
        <xsd:element name="id" type="xsd:int"/><xsd:element name="name" type="xsd:string"/>
        <xsd:element name="email" type="xsd:string"/><xsd:element name="since" type="xsd:dateTime"/>
        <xsd:element name="balance" type="xsd:decimal"/>
      </xsd:sequence></xsd:complexType>
      <xsd:element name="ListCustomersRequest"><xsd:complexType><xsd:sequence>
        <xsd:element name="limit" type="xsd:int"/></xsd:sequence></xsd:complexType></xsd:element>
      <xsd:element name="ListCustomersResponse"><xsd:complexType><xsd:sequence>
        <xsd:element name="customer" type="t:Customer" minOccurs="0" maxOccurs="unbounded"/>
      </xsd:sequence></xsd:complexType></xsd:element>
    </xsd:schema>
  </wsdl:types>
  <wsdl:message name="in"><wsdl:part name="parameters" element="t:ListCustomersRequest"/></wsdl:message>
  <wsdl:message name="out"><wsdl:part name="parameters" element="t:ListCustomersResponse"/></wsdl:message>
  <wsdl:portType name="CustomersPortType"><wsdl:operation name="listCustomers">
    <wsdl:input message="t:in"/><wsdl:output message="t:out"/></wsdl:operation></wsdl:portType>
  <wsdl:binding name="CustomersBinding" type="t:CustomersPortType">
    <soap:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/>
    <wsdl:operation name="listCustomers"><soap:operation soapAction="listCustomers"/>
      <wsdl:input><soap:body use="literal"/></wsdl:input><wsdl:output><soap:body use="literal"/></wsdl:output>
    </wsdl:operation>
  </wsdl:binding>
  <wsdl:service name="Customers"><wsdl:port name="CustomersPort" binding="t:CustomersBinding">
    <soap:address location="http://localhost/customers"/></wsdl:port></wsdl:service>
</wsdl:definitions>`

export const namespace = NS

/** Customers that make a message of the size. */
export const sizes = { '0.5 KB': 2, '20 KB': 120, '1 MB': 6100 } as const

export interface Customer {
  id: number
  name: string
  email: string
  since: string
  balance: string
}

export function customers(count: number): Customer[] {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: inOnePiece(`Customer <${index}> & Söhne`),
    email: inOnePiece(`customer.${index}@example.com`),
    since: '2026-11-21T07:30:00Z',
    balance: `${index}.50`,
  }))
}

/** The message as a client sends it. */
export function message(count: number): string {
  const items = customers(count).map(
    ({ id, name, email, since, balance }) =>
      `<t:customer><t:id>${id}</t:id><t:name>${escaped(name)}</t:name><t:email>${email}</t:email><t:since>${since}</t:since><t:balance>${balance}</t:balance></t:customer>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:t="${NS}"><s:Body><t:ListCustomersResponse>${items.join('')}</t:ListCustomersResponse></s:Body></s:Envelope>`
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}

/** The two operations of an implementation for each size, by the names that the suite asks for. */
export function createOperations(
  parse: (bytes: Buffer) => unknown,
  write: (customers: Customer[]) => unknown,
): Record<string, () => unknown> {
  return Object.fromEntries(
    Object.entries(sizes).flatMap(([size, count]) => {
      const bytes = Buffer.from(message(count))
      const list = customers(count)
      return [
        [`parse ${size}`, () => parse(bytes)],
        [`write ${size}`, () => write(list)],
      ]
    }),
  )
}
