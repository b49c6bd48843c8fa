const operation = (soap: string): string => `<wsdl:operation name="greet">
  <${soap}:operation soapAction="greet"/>
  <wsdl:input><${soap}:body use="literal"/></wsdl:input>
  <wsdl:output><${soap}:body use="literal"/></wsdl:output>
</wsdl:operation>`

/** The contract of a service with one operation, in SOAP 1.2. */
export const wsdl = `<wsdl:definitions targetNamespace="urn:greeter:v1" xmlns:t="urn:greeter:v1"
  xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:xsd="http://www.w3.org/2001/XMLSchema"
  xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/">
  <wsdl:types>
    <xsd:schema targetNamespace="urn:greeter:v1" elementFormDefault="qualified">
      <xsd:element name="GreetRequest"><xsd:complexType><xsd:sequence>
        <xsd:element name="visits" type="xsd:long"/>
      </xsd:sequence></xsd:complexType></xsd:element>
      <xsd:element name="GreetResponse"><xsd:complexType><xsd:sequence>
        <xsd:element name="text" type="xsd:string"/>
      </xsd:sequence></xsd:complexType></xsd:element>
    </xsd:schema>
  </wsdl:types>
  <wsdl:message name="in"><wsdl:part name="parameters" element="t:GreetRequest"/></wsdl:message>
  <wsdl:message name="out"><wsdl:part name="parameters" element="t:GreetResponse"/></wsdl:message>
  <wsdl:portType name="GreeterPortType"><wsdl:operation name="greet">
    <wsdl:input message="t:in"/><wsdl:output message="t:out"/>
  </wsdl:operation></wsdl:portType>
  <wsdl:binding name="Greeter" type="t:GreeterPortType">
    <soap12:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/>
    ${operation('soap12')}
  </wsdl:binding>
  <wsdl:service name="GreeterService">
    <wsdl:port name="GreeterPort" binding="t:Greeter"><soap12:address location="http://localhost"/></wsdl:port>
  </wsdl:service>
</wsdl:definitions>`
