package paraph;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.OperatingSystemMXBean;
import eu.europa.esig.dss.enumerations.DigestAlgorithm;
import eu.europa.esig.dss.enumerations.EncryptionAlgorithm;
import eu.europa.esig.dss.enumerations.SignatureAlgorithm;
import eu.europa.esig.dss.enumerations.SignatureLevel;
import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.model.InMemoryDocument;
import eu.europa.esig.dss.model.SignatureValue;
import eu.europa.esig.dss.model.ToBeSigned;
import eu.europa.esig.dss.model.x509.CertificateToken;
import eu.europa.esig.dss.pades.PAdESSignatureParameters;
import eu.europa.esig.dss.pades.signature.PAdESService;
import eu.europa.esig.dss.spi.DSSUtils;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import java.io.File;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Date;

/**
 * EU DSS, signing in memory at B-B: an order on standard input, one line of JSON per job (tests/bench/beside.ts). The
 * first job is done until the compiler has seen the code often enough, before anything is measured.
 */
public final class DssBench {
  private static final int WARM_UPS = 30;
  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  public static void main(String[] arguments) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    System.setOut(new PrintStream(OutputStream.nullOutputStream()));
    JsonNode jobs = Judging.JSON.readTree(System.in).withArray("jobs");
    for (int i = 0; i < jobs.size(); i++) {
      out.println(Judging.JSON.writeValueAsString(answer(jobs.get(i), i == 0 ? WARM_UPS : 0)));
    }
  }

  private static ObjectNode answer(JsonNode job, int warmUps) {
    try {
      return fastest(job, warmUps);
    } catch (Exception | OutOfMemoryError error) {
      return Judging.JSON.createObjectNode().put("error", error.toString());
    }
  }

  private static ObjectNode fastest(JsonNode job, int warmUps) throws Exception {
    JsonNode files = job.get("files");
    CertificateToken certificate = DSSUtils.loadCertificate(new File(files.get("certificate").asText()));
    CertificateToken issuer = DSSUtils.loadCertificate(new File(files.get("issuer").asText()));
    PrivateKey key = readKey(files.get("key").asText(), certificate.getPublicKey().getAlgorithm());
    byte[] pdf = Files.readAllBytes(Path.of(job.get("file").asText()));
    PAdESService service = new PAdESService(new CommonCertificateVerifier());
    long bestClock = Long.MAX_VALUE;
    long bestProcessor = Long.MAX_VALUE;
    long end = System.nanoTime() + (long) (job.get("seconds").asDouble() * 1e9);
    for (int run = -warmUps; run < job.get("runs").asInt(); run++) {
      if (run > 0 && System.nanoTime() > end) break;
      long clock = System.nanoTime();
      long processor = PROCESS.getProcessCpuTime();
      sign(service, pdf, key, certificate, issuer);
      if (run < 0) continue;
      bestClock = Math.min(bestClock, System.nanoTime() - clock);
      bestProcessor = Math.min(bestProcessor, PROCESS.getProcessCpuTime() - processor);
    }
    return Judging.JSON
        .createObjectNode()
        .put("clockMs", bestClock / 1e6)
        .put("processorMs", bestProcessor / 1e6);
  }

  private static void sign(
      PAdESService service, byte[] pdf, PrivateKey key, CertificateToken certificate, CertificateToken issuer)
      throws Exception {
    PAdESSignatureParameters parameters = new PAdESSignatureParameters();
    parameters.setSignatureLevel(SignatureLevel.PAdES_BASELINE_B);
    parameters.setDigestAlgorithm(DigestAlgorithm.SHA256);
    parameters.setSigningCertificate(certificate);
    parameters.setCertificateChain(certificate, issuer);
    parameters.bLevel().setSigningDate(new Date());
    DSSDocument document = new InMemoryDocument(pdf);
    ToBeSigned toBeSigned = service.getDataToSign(document, parameters);
    SignatureAlgorithm algorithm =
        SignatureAlgorithm.getAlgorithm(
            EncryptionAlgorithm.forKey(certificate.getPublicKey()), DigestAlgorithm.SHA256);
    Signature signature = Signature.getInstance(algorithm.getJCEId());
    signature.initSign(key);
    signature.update(toBeSigned.getBytes());
    DSSDocument signed =
        service.signDocument(document, parameters, new SignatureValue(algorithm, signature.sign()));
    if (((InMemoryDocument) signed).getBytes().length <= pdf.length) {
      throw new IllegalStateException("Nothing was appended.");
    }
  }

  private static PrivateKey readKey(String path, String algorithm) throws Exception {
    String pem = Files.readString(Path.of(path)).replaceAll("-----[A-Z ]+-----|\\s", "");
    PKCS8EncodedKeySpec pkcs8 = new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem));
    return KeyFactory.getInstance(algorithm).generatePrivate(pkcs8);
  }

  private DssBench() {}
}
