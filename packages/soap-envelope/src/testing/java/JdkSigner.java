import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.xml.XMLConstants;
import javax.xml.crypto.dom.DOMStructure;
import javax.xml.crypto.dsig.CanonicalizationMethod;
import javax.xml.crypto.dsig.DigestMethod;
import javax.xml.crypto.dsig.Reference;
import javax.xml.crypto.dsig.SignedInfo;
import javax.xml.crypto.dsig.Transform;
import javax.xml.crypto.dsig.XMLSignature;
import javax.xml.crypto.dsig.XMLSignatureFactory;
import javax.xml.crypto.dsig.dom.DOMSignContext;
import javax.xml.crypto.dsig.dom.DOMValidateContext;
import javax.xml.crypto.dsig.keyinfo.KeyInfoFactory;
import javax.xml.crypto.dsig.spec.C14NMethodParameterSpec;
import javax.xml.crypto.dsig.spec.TransformParameterSpec;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** WS-Security by hand over `javax.xml.crypto`, which every JDK has. */
class JdkSigner implements SignedCalls.Signer {
  private static final String PROFILES = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-";
  private static final String X509 = PROFILES + "x509-token-profile-1.0#X509v3";
  private static final String BASE64 = PROFILES + "soap-message-security-1.0#Base64Binary";

  private final XMLSignatureFactory factory = XMLSignatureFactory.getInstance("DOM");

  @Override
  public void sign(Document message, KeyStore keys, String algorithm) throws Exception {
    Element header = (Element) message.getDocumentElement().getFirstChild();
    Element security = append(header, SignedCalls.WSSE, "wsse:Security", "");
    byte[] certificate = keys.getCertificate("client").getEncoded();
    Element token =
        append(security, SignedCalls.WSSE, "wsse:BinarySecurityToken", Base64.getEncoder().encodeToString(certificate));
    token.setAttribute("ValueType", X509);
    token.setAttribute("EncodingType", BASE64);
    setId(token, "Token");
    Element timestamp = append(security, SignedCalls.WSU, "wsu:Timestamp", "");
    setId(timestamp, "Time");
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    append(timestamp, SignedCalls.WSU, "wsu:Created", now.toString());
    append(timestamp, SignedCalls.WSU, "wsu:Expires", now.plusSeconds(60).toString());
    setId(SignedCalls.findBody(message), "Body");

    String method = "http://www.w3.org/2001/04/xmldsig-more#" + algorithm + "-sha256";
    SignedInfo signedInfo =
        factory.newSignedInfo(
            factory.newCanonicalizationMethod(CanonicalizationMethod.EXCLUSIVE, (C14NMethodParameterSpec) null),
            factory.newSignatureMethod(method, null),
            List.of(createReference("#Body"), createReference("#Time")));
    Element tokenReference = create(message, SignedCalls.WSSE, "wsse:SecurityTokenReference");
    Element reference = append(tokenReference, SignedCalls.WSSE, "wsse:Reference", "");
    reference.setAttribute("URI", "#Token");
    reference.setAttribute("ValueType", X509);
    KeyInfoFactory infos = factory.getKeyInfoFactory();
    PrivateKey key = (PrivateKey) keys.getKey("client", SignedCalls.PASSWORD);
    factory
        .newXMLSignature(signedInfo, infos.newKeyInfo(List.of(new DOMStructure(tokenReference))))
        .sign(new DOMSignContext(key, security));
  }

  private Reference createReference(String uri) throws Exception {
    Transform transform = factory.newTransform(CanonicalizationMethod.EXCLUSIVE, (TransformParameterSpec) null);
    return factory.newReference(uri, factory.newDigestMethod(DigestMethod.SHA256, null), List.of(transform), null, null);
  }

  @Override
  public String verify(Document message, X509Certificate authority) throws Exception {
    Element token = SignedCalls.find(message, SignedCalls.WSSE, "BinarySecurityToken");
    X509Certificate certificate = SignedCalls.readCertificate(Base64.getDecoder().decode(token.getTextContent()));
    certificate.verify(authority.getPublicKey());
    Element signature = SignedCalls.find(message, XMLSignature.XMLNS, "Signature");
    DOMValidateContext context = new DOMValidateContext(certificate.getPublicKey(), signature);
    Set<String> expected = new HashSet<>();
    Element timestamp = SignedCalls.find(message, SignedCalls.WSU, "Timestamp");
    for (Element element : List.of(SignedCalls.findBody(message), timestamp, token)) {
      context.setIdAttributeNS(element, SignedCalls.WSU, "Id");
      expected.add("#" + element.getAttributeNS(SignedCalls.WSU, "Id"));
    }
    XMLSignature read = factory.unmarshalXMLSignature(context);
    if (!read.validate(context)) return "invalid";
    for (Reference reference : read.getSignedInfo().getReferences()) expected.remove(reference.getURI());
    return expected.isEmpty() ? "valid" : "not signed: " + expected;
  }

  // Canonicalization sees only declarations that are attributes of the tree.
  private static Element create(Document document, String namespace, String name) {
    Element element = document.createElementNS(namespace, name);
    declare(element, name.substring(0, name.indexOf(':')), namespace);
    return element;
  }

  private static void declare(Element element, String prefix, String namespace) {
    element.setAttributeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:" + prefix, namespace);
  }

  private static Element append(Element parent, String namespace, String name, String text) {
    Element child = create(parent.getOwnerDocument(), namespace, name);
    child.setTextContent(text);
    return (Element) parent.appendChild(child);
  }

  private static void setId(Element element, String id) {
    declare(element, "wsu", SignedCalls.WSU);
    element.setAttributeNS(SignedCalls.WSU, "wsu:Id", id);
    element.setIdAttributeNS(SignedCalls.WSU, "Id", true);
  }
}
