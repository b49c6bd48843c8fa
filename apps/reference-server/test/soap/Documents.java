import example.svc.ws.customer.v2.*;
import java.security.MessageDigest;
import java.util.Map;
import javax.activation.DataHandler;
import javax.xml.ws.BindingProvider;
import javax.xml.ws.Holder;
import javax.xml.ws.handler.MessageContext;
import javax.xml.ws.soap.MTOMFeature;

/** Calls the operations of version 2 with JAX-WS and prints what came back, a JSON array on each line. */
public class Documents {
  static void show(String name, String value) {
    System.out.println("[\"" + name + "\", \"" + value + "\"]");
  }

  static String digest(byte[] bytes) throws Exception {
    StringBuilder digits = new StringBuilder();
    for (byte b : MessageDigest.getInstance("SHA-256").digest(bytes)) digits.append(String.format("%02x", b));
    return digits.toString();
  }

  static CustomerPortType connect(CustomerPortType port) {
    Map<String, Object> context = ((BindingProvider) port).getRequestContext();
    context.put(BindingProvider.USERNAME_PROPERTY, "bob");
    context.put(BindingProvider.PASSWORD_PROPERTY, "bob-demo");
    return port;
  }

  public static void main(String[] args) throws Exception {
    ClientContext clientContext = new ClientContext();
    clientContext.setApplication("jaxws");
    clientContext.setRequestId("jaxws-1");
    CustomerService service = new CustomerService(new java.net.URL(args[0] + "/ws/customer?wsdl=v2"));
    for (boolean is12 : new boolean[] {false, true}) {
      MTOMFeature mtom = new MTOMFeature();
      CustomerPortType port =
          connect(is12 ? service.getCustomerPort(mtom) : service.getCustomerPortSoap11(mtom));
      String name = is12 ? "SOAP 1.2 " : "SOAP 1.1 ";
      GetCustomerRequest plain = new GetCustomerRequest();
      plain.setCustomerId(1);
      show(name + "customer", port.getCustomer(plain).getCustomer().getName());
      GetOrderDocumentRequest request = new GetOrderDocumentRequest();
      request.setOrderId(1);
      Holder<Receipt> receipt = new Holder<>();
      GetOrderDocumentResponse response = port.getOrderDocument(request, clientContext, receipt);
      byte[] document = response.getDocument().getInputStream().readAllBytes();
      show(name + "document", digest(document));
      show(name + "media type", response.getDocument().getContentType());
      Object headers = ((BindingProvider) port).getResponseContext().get(MessageContext.HTTP_RESPONSE_HEADERS);
      show(name + "type", headers.toString().contains("multipart/related") ? "attachment" : "Base64");
      show(name + "receipt", receipt.value.getRequestId());
      VerifyOrderDocumentRequest verify = new VerifyOrderDocumentRequest();
      verify.setOrderId(1);
      verify.setDocument(new DataHandler(new com.sun.xml.ws.util.ByteArrayDataSource(document, "application/pdf")));
      show(name + "genuine", String.valueOf(port.verifyOrderDocument(verify, clientContext, receipt).isIsGenuine()));
      try {
        request.setOrderId(3);
        port.getOrderDocument(request, clientContext, receipt);
      } catch (DocumentNotAvailable_Exception fault) {
        show(name + "unpaid", fault.getFaultInfo().getOrderStatus());
      }
    }
  }
}
