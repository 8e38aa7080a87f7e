package paraph;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import eu.europa.esig.dss.diagnostic.DiagnosticData;
import eu.europa.esig.dss.diagnostic.PDFRevisionWrapper;
import eu.europa.esig.dss.diagnostic.SignatureWrapper;
import eu.europa.esig.dss.diagnostic.TimestampWrapper;
import eu.europa.esig.dss.diagnostic.jaxb.XmlObjectModification;
import eu.europa.esig.dss.jaxb.object.Message;
import eu.europa.esig.dss.model.FileDocument;
import eu.europa.esig.dss.service.crl.OnlineCRLSource;
import eu.europa.esig.dss.service.http.commons.CommonsDataLoader;
import eu.europa.esig.dss.service.http.commons.OCSPDataLoader;
import eu.europa.esig.dss.service.ocsp.OnlineOCSPSource;
import eu.europa.esig.dss.simplereport.SimpleReport;
import eu.europa.esig.dss.spi.DSSUtils;
import eu.europa.esig.dss.spi.validation.CertificateVerifier;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.x509.CommonTrustedCertificateSource;
import eu.europa.esig.dss.spi.x509.aia.DefaultAIASource;
import eu.europa.esig.dss.validation.SignedDocumentValidator;
import eu.europa.esig.dss.validation.reports.Reports;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;

/**
 * Lets EU DSS judge signed PDFs, by its default policy as it is.
 *
 * <p>In: {"anchors": ["root.pem", …], "files": ["a.pdf", …], "online": true}; only when online it may ask for OCSP, CRLs
 * and issuers at the addresses that the certificates name.
 *
 * <p>For comparisons each file may have a time and anchors of its own: {"times": {"a.pdf": "2026-…Z"}, "ownAnchors":
 * {"a.pdf": ["Base64 of DER", …]}}, and the policy other lines: {"policy": {"text of the default policy": "text instead"}}.
 *
 * <p>Out, per file: {"file", "signatures": […], "timestamps": […]}, in DSS's words, or {"file", "error"}.
 */
public final class DssJudge {
  private static final int ANSWER_MS = 5_000;

  public static void main(String[] arguments) throws Exception {
    Judging.hold(DssJudge::open);
  }

  private static Judging.Judge open(JsonNode order) throws IOException {
    CommonTrustedCertificateSource anchors = new CommonTrustedCertificateSource();
    for (JsonNode anchor : order.withArray("anchors")) {
      anchors.addCertificate(DSSUtils.loadCertificate(new File(anchor.asText())));
    }
    boolean online = order.path("online").asBoolean(false);
    JsonNode times = order.path("times");
    JsonNode ownAnchors = order.path("ownAnchors");
    byte[] policy = order.has("policy") ? changedPolicy(order.get("policy")) : null;
    return file -> {
      CommonTrustedCertificateSource own = ownAnchors.has(file) ? anchorsOf(ownAnchors.get(file)) : anchors;
      Date at = times.has(file) ? Date.from(Instant.parse(times.get(file).asText())) : null;
      return verdict(new File(file), verifier(own, online), at, policy);
    };
  }

  private static CommonTrustedCertificateSource anchorsOf(JsonNode encoded) {
    CommonTrustedCertificateSource anchors = new CommonTrustedCertificateSource();
    for (JsonNode one : encoded) {
      anchors.addCertificate(DSSUtils.loadCertificate(Base64.getDecoder().decode(one.asText())));
    }
    return anchors;
  }

  /** The default policy with some of its lines replaced; one that is not there would change nothing unseen. */
  private static byte[] changedPolicy(JsonNode changes) throws IOException {
    String policy;
    try (InputStream bytes = DssJudge.class.getResourceAsStream("/policy/constraint.xml")) {
      policy = new String(bytes.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
    }
    for (Map.Entry<String, JsonNode> change : changes.properties()) {
      if (!policy.contains(change.getKey())) throw new IllegalArgumentException(change.getKey());
      policy = policy.replace(change.getKey(), change.getValue().asText());
    }
    return policy.getBytes(StandardCharsets.UTF_8);
  }

  /** Offline, DSS has its own empty sources: what is not in the file is missing. */
  private static CertificateVerifier verifier(CommonTrustedCertificateSource anchors, boolean online) {
    CommonCertificateVerifier verifier = new CommonCertificateVerifier();
    verifier.setTrustedCertSources(anchors);
    verifier.setAIASource(null);
    if (online) {
      verifier.setAIASource(new DefaultAIASource(patient(new CommonsDataLoader())));
      verifier.setOcspSource(new OnlineOCSPSource(patient(new OCSPDataLoader())));
      verifier.setCrlSource(new OnlineCRLSource(patient(new CommonsDataLoader())));
    }
    return verifier;
  }

  private static <T extends CommonsDataLoader> T patient(T loader) {
    loader.setTimeoutConnection(ANSWER_MS);
    loader.setTimeoutResponse(ANSWER_MS);
    return loader;
  }

  private static ObjectNode verdict(File file, CertificateVerifier verifier, Date at, byte[] policy) {
    SignedDocumentValidator validator = SignedDocumentValidator.fromDocument(new FileDocument(file));
    validator.setCertificateVerifier(verifier);
    validator.setEnableEtsiValidationReport(false);
    if (at != null) validator.setValidationTime(at);
    Reports reports =
        policy == null
            ? validator.validateDocument()
            : validator.validateDocument(new ByteArrayInputStream(policy));
    SimpleReport simple = reports.getSimpleReport();
    DiagnosticData facts = reports.getDiagnosticData();
    ObjectNode verdict = Judging.JSON.createObjectNode();
    ArrayNode signatures = verdict.putArray("signatures");
    for (SignatureWrapper signature : facts.getSignatures()) {
      ObjectNode written = signatures.addObject();
      writeToken(written, simple, signature.getId());
      written.put("level", String.valueOf(simple.getSignatureFormat(signature.getId())));
      writeRevision(written, signature.getPDFRevision());
    }
    ArrayNode timestamps = verdict.putArray("timestamps");
    for (TimestampWrapper timestamp : facts.getTimestampList()) {
      ObjectNode written = timestamps.addObject().put("type", String.valueOf(timestamp.getType()));
      writeToken(written, simple, timestamp.getId());
      writeRevision(written, timestamp.getPDFRevision());
    }
    return verdict;
  }

  private static void writeToken(ObjectNode written, SimpleReport simple, String id) {
    written.put("id", id).put("indication", String.valueOf(simple.getIndication(id)));
    if (simple.getSubIndication(id) != null) {
      written.put("subIndication", simple.getSubIndication(id).toString());
    }
    writeMessages(written.putArray("errors"), simple.getAdESValidationErrors(id));
    writeMessages(written.putArray("warnings"), simple.getAdESValidationWarnings(id));
  }

  private static void writeMessages(ArrayNode written, List<Message> messages) {
    for (Message message : messages) {
      written.add(message.getValue());
    }
  }

  /** What changed in the file after the revision that is signed; a signature time-stamp has no revision of its own. */
  private static void writeRevision(ObjectNode written, PDFRevisionWrapper revision) {
    if (revision == null) return;
    written.put("field", revision.getFirstFieldName());
    writeChanges(written.putArray("undefinedChanges"), revision.getPdfUndefinedChanges());
    writePages(written.putArray("visualDifferences"), revision.getPdfVisualDifferenceConcernedPages());
    writePages(written.putArray("annotationOverlaps"), revision.getPdfAnnotationsOverlapConcernedPages());
    writePages(written.putArray("pageDifferences"), revision.getPdfPageDifferenceConcernedPages());
  }

  private static void writeChanges(ArrayNode written, List<XmlObjectModification> changes) {
    for (XmlObjectModification change : changes) {
      written.add(change.getAction() + " " + change.getValue());
    }
  }

  private static void writePages(ArrayNode written, List<BigInteger> pages) {
    for (BigInteger page : pages) {
      written.add(page.intValue());
    }
  }

  private DssJudge() {}
}
