import javax.xml.namespace.QName;
import javax.xml.soap.MessageFactory;
import javax.xml.soap.SOAPConstants;
import javax.xml.soap.SOAPElement;
import javax.xml.soap.SOAPMessage;
import javax.xml.ws.BindingProvider;
import javax.xml.ws.Dispatch;
import javax.xml.ws.Service;
import javax.xml.ws.soap.AddressingFeature;
import javax.xml.ws.soap.SOAPBinding;

/**
 * Calls the shop with JAX-WS and WS-Addressing, which it requires of responses, too. Prints what came back, a JSON array
 * on each line.
 */
public class AddressedCalls {
  public static void main(String[] args) throws Exception {
    call("1.1", SOAPBinding.SOAP11HTTP_BINDING, SOAPConstants.SOAP_1_1_PROTOCOL, args[0]);
    call("1.2", SOAPBinding.SOAP12HTTP_BINDING, SOAPConstants.SOAP_1_2_PROTOCOL, args[0]);
  }

  static void call(String version, String binding, String protocol, String url) throws Exception {
    Service service = Service.create(new QName("urn:test:shop", "ShopService"));
    QName port = new QName("urn:test:shop", "ShopPort");
    service.addPort(port, binding, url);
    Dispatch<SOAPMessage> dispatch =
        service.createDispatch(port, SOAPMessage.class, Service.Mode.MESSAGE, new AddressingFeature(true, true));
    dispatch.getRequestContext().put(BindingProvider.SOAPACTION_USE_PROPERTY, true);
    dispatch.getRequestContext().put(BindingProvider.SOAPACTION_URI_PROPERTY, "getCustomer");
    SOAPMessage request = MessageFactory.newInstance(protocol).createMessage();
    SOAPElement input = request.getSOAPBody().addChildElement("GetCustomerRequest", "s", "urn:test:shop");
    input.addChildElement("customerId", "s").setTextContent("7");
    SOAPMessage response = dispatch.invoke(request);
    System.out.printf("[\"%s customer\", \"%s\"]%n", version, find(response, "name"));
    System.out.printf("[\"%s RelatesTo\", \"%s\"]%n", version, find(response, "RelatesTo"));
    System.out.printf("[\"%s Action\", \"%s\"]%n", version, find(response, "Action"));
  }

  static String find(SOAPMessage message, String name) throws Exception {
    return message.getSOAPPart().getEnvelope().getElementsByTagNameNS("*", name).item(0).getTextContent();
  }
}
