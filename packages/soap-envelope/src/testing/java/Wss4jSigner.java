import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.ws.security.WSConstants;
import org.apache.ws.security.WSDataRef;
import org.apache.ws.security.WSEncryptionPart;
import org.apache.ws.security.WSSecurityEngine;
import org.apache.ws.security.WSSecurityEngineResult;
import org.apache.ws.security.WSSecurityException;
import org.apache.ws.security.components.crypto.Merlin;
import org.apache.ws.security.message.WSSecHeader;
import org.apache.ws.security.message.WSSecSignature;
import org.apache.ws.security.message.WSSecTimestamp;
import org.apache.ws.security.util.WSSecurityUtil;
import org.w3c.dom.Document;

/** WSS4J, the WS-Security of Apache CXF and Spring-WS. */
class Wss4jSigner implements SignedCalls.Signer {
  @Override
  public void sign(Document message, KeyStore keys, String algorithm) throws Exception {
    WSSecHeader header = new WSSecHeader();
    header.insertSecurityHeader(message);
    new WSSecTimestamp().build(message, header);
    WSSecSignature signature = new WSSecSignature();
    signature.setUserInfo("client", new String(SignedCalls.PASSWORD));
    signature.setKeyIdentifierType(WSConstants.BST_DIRECT_REFERENCE);
    signature.setSignatureAlgorithm("http://www.w3.org/2001/04/xmldsig-more#" + algorithm + "-sha256");
    signature.setDigestAlgo("http://www.w3.org/2001/04/xmlenc#sha256");
    String envelope = message.getDocumentElement().getNamespaceURI();
    signature.setParts(
        List.of(
            new WSEncryptionPart("Body", envelope, "Content"),
            new WSEncryptionPart("Timestamp", SignedCalls.WSU, "Content")));
    Merlin crypto = new Merlin();
    crypto.setKeyStore(keys);
    signature.build(message, crypto, header);
  }

  @Override
  @SuppressWarnings("unchecked")
  public String verify(Document message, X509Certificate authority) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("authority", authority);
    Merlin crypto = new Merlin();
    crypto.setTrustStore(trusted);
    List<WSSecurityEngineResult> results;
    try {
      results = new WSSecurityEngine().processSecurityHeader(message, null, null, crypto);
    } catch (WSSecurityException wrong) {
      return "invalid";
    }
    WSSecurityEngineResult signed = WSSecurityUtil.fetchActionResult(results, WSConstants.SIGN);
    if (signed == null) return "not signed";
    Set<String> names =
        ((List<WSDataRef>) signed.get(WSSecurityEngineResult.TAG_DATA_REF_URIS))
            .stream().map(reference -> reference.getName().getLocalPart()).collect(Collectors.toSet());
    return names.containsAll(Set.of("Body", "Timestamp")) ? "valid" : "signed: " + names;
  }
}
