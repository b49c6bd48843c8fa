import java.io.ByteArrayInputStream;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Calls the shop with messages that two libraries sign, lets them verify the responses, and prints what came back, a
 * JSON array on each line. Arguments: the address, and the folder with `rsa.p12`, `ecdsa.p12` and `authority.pem`.
 */
public class SignedCalls {
  static final String WSSE =
      "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
  static final String WSU =
      "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";
  static final char[] PASSWORD = "secret".toCharArray();

  /** A library that signs Body and Timestamp with the key `client`, and names its certificate by a token. */
  interface Signer {
    void sign(Document message, KeyStore keys, String algorithm) throws Exception;

    /** "valid" if the authority issued the certificate and signed Body and Timestamp, or what is wrong. */
    String verify(Document message, X509Certificate authority) throws Exception;
  }

  public static void main(String[] args) throws Exception {
    X509Certificate authority = readCertificate(Files.readAllBytes(Path.of(args[1], "authority.pem")));
    for (Map.Entry<String, Signer> entry : Map.of("JDK", new JdkSigner(), "WSS4J", new Wss4jSigner()).entrySet()) {
      Signer signer = entry.getValue();
      for (String algorithm : List.of("rsa", "ecdsa")) {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(Files.newInputStream(Path.of(args[1], algorithm + ".p12")), PASSWORD);
        for (String version : List.of("1.1", "1.2")) {
          String label = String.join(" ", entry.getKey(), algorithm, version);
          Document request = parse(writeMessage(version));
          signer.sign(request, keys, algorithm);
          String reply = post(args[0] + "/" + algorithm, version, write(request));
          show(label, parse(reply).getElementsByTagNameNS("*", "name").item(0).getTextContent());
          show(label + " verified", signer.verify(parse(reply), authority));
          Document altered = parse(reply);
          altered.getElementsByTagNameNS("*", "name").item(0).setTextContent("Eve");
          show(label + " altered", signer.verify(altered, authority));
        }
      }
    }
  }

  static void show(String name, String value) {
    System.out.printf("[\"%s\", \"%s\"]%n", name, value);
  }

  static String writeMessage(String version) {
    boolean is12 = version.equals("1.2");
    String envelope = is12 ? "http://www.w3.org/2003/05/soap-envelope" : "http://schemas.xmlsoap.org/soap/envelope/";
    return String.format(
        "<e:Envelope xmlns:e='%s'><e:Header/><e:Body><s:GetCustomerRequest xmlns:s='urn:test:shop'>%n"
            + "<s:customerId>7</s:customerId></s:GetCustomerRequest></e:Body></e:Envelope>",
        envelope);
  }

  static String post(String url, String version, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .header("Content-Type", version.equals("1.2") ? "application/soap+xml" : "text/xml; charset=utf-8")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200) throw new IllegalStateException(response.body());
    return response.body();
  }

  static Element find(Document document, String namespace, String name) {
    return (Element) document.getElementsByTagNameNS(namespace, name).item(0);
  }

  static Element findBody(Document document) {
    return find(document, document.getDocumentElement().getNamespaceURI(), "Body");
  }

  static X509Certificate readCertificate(byte[] bytes) throws Exception {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(bytes));
  }

  static Document parse(String xml) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    return factory.newDocumentBuilder().parse(new ByteArrayInputStream(xml.getBytes("UTF-8")));
  }

  static String write(Node node) throws Exception {
    StringWriter text = new StringWriter();
    TransformerFactory.newInstance().newTransformer().transform(new DOMSource(node), new StreamResult(text));
    return text.toString();
  }
}
