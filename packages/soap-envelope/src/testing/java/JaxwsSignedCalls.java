import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import javax.xml.namespace.QName;
import javax.xml.soap.MessageFactory;
import javax.xml.soap.SOAPConstants;
import javax.xml.soap.SOAPElement;
import javax.xml.soap.SOAPMessage;
import javax.xml.transform.dom.DOMSource;
import javax.xml.ws.Dispatch;
import javax.xml.ws.ProtocolException;
import javax.xml.ws.Service;
import javax.xml.ws.handler.MessageContext;
import javax.xml.ws.handler.soap.SOAPHandler;
import javax.xml.ws.handler.soap.SOAPMessageContext;
import javax.xml.ws.soap.SOAPBinding;
import org.w3c.dom.Document;

/**
 * Calls the shop with JAX-WS and a handler that signs and verifies by WSS4J. Prints what came back, a JSON array on each
 * line. Arguments: the address, and the folder with `client.p12` and `authority.pem`.
 */
public class JaxwsSignedCalls {
  public static void main(String[] args) throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(Files.newInputStream(Path.of(args[1], "client.p12")), SignedCalls.PASSWORD);
    X509Certificate authority = SignedCalls.readCertificate(Files.readAllBytes(Path.of(args[1], "authority.pem")));
    SignatureHandler handler = new SignatureHandler(keys, authority);
    for (String path : List.of("/signed", "/altered", "/unknown")) {
      call("1.1", SOAPBinding.SOAP11HTTP_BINDING, SOAPConstants.SOAP_1_1_PROTOCOL, args[0], path, handler);
      call("1.2", SOAPBinding.SOAP12HTTP_BINDING, SOAPConstants.SOAP_1_2_PROTOCOL, args[0], path, handler);
    }
  }

  static void call(String version, String binding, String protocol, String address, String path, SignatureHandler handler)
      throws Exception {
    Service service = Service.create(new QName("urn:test:shop", "ShopService"));
    QName port = new QName("urn:test:shop", "ShopPort");
    service.addPort(port, binding, address + path);
    Dispatch<SOAPMessage> dispatch = service.createDispatch(port, SOAPMessage.class, Service.Mode.MESSAGE);
    dispatch.getBinding().setHandlerChain(List.of(handler));
    SOAPMessage request = MessageFactory.newInstance(protocol).createMessage();
    SOAPElement input = request.getSOAPBody().addChildElement("GetCustomerRequest", "s", "urn:test:shop");
    input.addChildElement("customerId", "s").setTextContent("7");
    String result;
    try {
      result = dispatch.invoke(request).getSOAPBody().getElementsByTagNameNS("*", "name").item(0).getTextContent();
    } catch (ProtocolException rejected) {
      result = rejected.getMessage();
    }
    SignedCalls.show(version + " " + path, result);
  }

  static class SignatureHandler implements SOAPHandler<SOAPMessageContext> {
    private final Wss4jSigner signer = new Wss4jSigner();
    private final KeyStore keys;
    private final X509Certificate authority;

    SignatureHandler(KeyStore keys, X509Certificate authority) {
      this.keys = keys;
      this.authority = authority;
    }

    /** The header block that JAX-WS would not understand without this handler. */
    @Override
    public Set<QName> getHeaders() {
      return Set.of(new QName(SignedCalls.WSSE, "Security"));
    }

    @Override
    public boolean handleMessage(SOAPMessageContext context) {
      try {
        // WSS4J gets a plain tree, since the nodes of SAAJ only wrap those of their document.
        Document message = SignedCalls.parse(SignedCalls.write(context.getMessage().getSOAPPart()));
        if ((Boolean) context.get(MessageContext.MESSAGE_OUTBOUND_PROPERTY)) {
          signer.sign(message, keys, "rsa");
          context.getMessage().getSOAPPart().setContent(new DOMSource(message));
        } else {
          String result = signer.verify(message, authority);
          if (!result.equals("valid")) throw new ProtocolException(result);
        }
        return true;
      } catch (ProtocolException rejected) {
        throw rejected;
      } catch (Exception error) {
        throw new IllegalStateException(error);
      }
    }

    @Override
    public boolean handleFault(SOAPMessageContext context) {
      return true;
    }

    @Override
    public void close(MessageContext context) {}
  }
}
