// What Java says of XML: whether it is valid by the schema of ETSI TS 119 612, whether its signature verifies, and its
// canonical forms. For each file of the arguments one line of JSON. Only the JDK judges; the schemas lie on the class path.

import java.io.File;
import java.io.InputStream;
import java.io.StringReader;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.HexFormat;
import javax.xml.XMLConstants;
import javax.xml.crypto.OctetStreamData;
import javax.xml.crypto.dsig.TransformService;
import javax.xml.crypto.dsig.XMLSignature;
import javax.xml.crypto.dsig.XMLSignatureFactory;
import javax.xml.crypto.dsig.dom.DOMValidateContext;
import javax.xml.crypto.NodeSetData;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.Source;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

public class ListJudge {
  private static final String DS = XMLSignature.XMLNS;

  public static void main(String[] files) throws Exception {
    Schema schema = schema();
    for (String file : files) {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setNamespaceAware(true);
      Document document = factory.newDocumentBuilder().parse(new File(file));
      System.out.println("{\"file\":\"" + file + "\",\"schema\":\"" + valid(schema, document) + "\",\"signature\":\""
          + signature(document) + "\",\"exclusive\":\"" + canonical(document, "http://www.w3.org/2001/10/xml-exc-c14n#")
          + "\",\"inclusive\":\"" + canonical(document, "http://www.w3.org/TR/2001/REC-xml-c14n-20010315") + "\"}");
    }
  }

  private static Schema schema() throws Exception {
    SchemaFactory factory = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI);
    // All are given; what they import by address is one of them, and nothing is fetched.
    factory.setProperty(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
    factory.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
    factory.setResourceResolver((type, namespace, publicId, systemId, base) -> {
      throw new IllegalStateException("asked for " + systemId);
    });
    String[] names = {"xml.xsd", "xmldsig-core-schema.xsd", "XAdES01903v132-202407.xsd", "ts_119612v020101_xsd.xsd",
        "ts_119612v020101_sie_xsd.xsd", "ts_119612v020101_additionaltypes_xsd.xsd"};
    Source[] sources = new Source[names.length];
    for (int i = 0; i < names.length; i++) sources[i] = source(names[i]);
    return factory.newSchema(sources);
  }

  // Without the addresses of imports, so that the sources given together are what is imported.
  private static Source source(String name) throws Exception {
    try (InputStream stream = ListJudge.class.getResourceAsStream("/xsd/" + name)) {
      String text = new String(stream.readAllBytes(), "UTF-8")
          .replaceAll("(?s)<!DOCTYPE.*?\\]>", "")
          .replaceAll("(<(?:\\w+:)?import[^>]*?)\\s+schemaLocation\\s*=\\s*\"[^\"]*\"", "$1");
      return new StreamSource(new StringReader(text), name);
    }
  }

  private static String valid(Schema schema, Document document) {
    try {
      schema.newValidator().validate(new DOMSource(document));
      return "valid";
    } catch (Exception error) {
      return String.valueOf(error.getMessage()).replaceAll("[\"\\\\\\s]+", " ");
    }
  }

  private static String signature(Document document) {
    try {
      NodeList found = document.getElementsByTagNameNS(DS, "Signature");
      if (found.getLength() != 1) return "none";
      byte[] der = Base64.getMimeDecoder().decode(
          ((Element) found.item(0)).getElementsByTagNameNS(DS, "X509Certificate").item(0).getTextContent());
      X509Certificate certificate = (X509Certificate) CertificateFactory.getInstance("X.509")
          .generateCertificate(new java.io.ByteArrayInputStream(der));
      DOMValidateContext context = new DOMValidateContext(certificate.getPublicKey(), found.item(0));
      markIds(document.getDocumentElement());
      return XMLSignatureFactory.getInstance("DOM").unmarshalXMLSignature(context).validate(context) ? "valid" : "invalid";
    } catch (Exception error) {
      return String.valueOf(error.getMessage()).replaceAll("[\"\\\\\\s]+", " ");
    }
  }

  private static void markIds(Element element) {
    if (element.hasAttributeNS(null, "Id")) element.setIdAttributeNS(null, "Id", true);
    for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling())
      if (child instanceof Element inner) markIds(inner);
  }

  private static String canonical(Document document, String algorithm) throws Exception {
    TransformService service = TransformService.getInstance(algorithm, "DOM");
    service.init((javax.xml.crypto.dsig.spec.TransformParameterSpec) null);
    java.util.List<Node> nodes = new java.util.ArrayList<>();
    collect(document.getDocumentElement(), nodes);
    NodeSetData<Node> data = nodes::iterator;
    OctetStreamData out = (OctetStreamData) service.transform(data, null);
    byte[] bytes = out.getOctetStream().readAllBytes();
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  // A set of nodes without comments, as a reference to the whole document makes it (XMLDSig, 4.4.3.3).
  private static void collect(Node node, java.util.List<Node> nodes) {
    if (node.getNodeType() == Node.COMMENT_NODE) return;
    nodes.add(node);
    NamedNodeMap attributes = node.getAttributes();
    if (attributes != null) for (int i = 0; i < attributes.getLength(); i++) nodes.add(attributes.item(i));
    for (Node child = node.getFirstChild(); child != null; child = child.getNextSibling()) collect(child, nodes);
  }
}
