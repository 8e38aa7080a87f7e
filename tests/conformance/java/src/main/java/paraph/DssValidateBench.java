package paraph;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.OperatingSystemMXBean;
import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.model.InMemoryDocument;
import eu.europa.esig.dss.pades.validation.PDFDocumentValidator;
import eu.europa.esig.dss.pdf.IPdfObjFactory;
import eu.europa.esig.dss.pdf.ServiceLoaderPdfObjFactory;
import eu.europa.esig.dss.pdf.modifications.DefaultPdfDifferencesFinder;
import eu.europa.esig.dss.spi.DSSUtils;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.x509.CommonTrustedCertificateSource;
import eu.europa.esig.dss.validation.reports.Reports;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/**
 * EU DSS, validating in memory without a network and without pictures: an order on standard input, one line of JSON per
 * job (tests/bench/validation.ts). Each job is done until the compiler has seen the code often enough, before anything is
 * measured.
 */
public final class DssValidateBench {
  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  public static void main(String[] arguments) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    System.setOut(new PrintStream(OutputStream.nullOutputStream()));
    for (JsonNode job : Judging.JSON.readTree(System.in).withArray("jobs")) {
      out.println(Judging.JSON.writeValueAsString(fastest(job)));
    }
  }

  private static ObjectNode fastest(JsonNode job) throws Exception {
    DSSDocument document = new InMemoryDocument(Files.readAllBytes(Path.of(job.get("file").asText())));
    CommonTrustedCertificateSource anchors = new CommonTrustedCertificateSource();
    anchors.addCertificate(
        DSSUtils.loadCertificate(Base64.getDecoder().decode(job.get("anchor").asText())));
    long bestClock = Long.MAX_VALUE;
    long bestProcessor = Long.MAX_VALUE;
    String indication = "";
    for (int run = -job.get("warmUps").asInt(); run < job.get("runs").asInt(); run++) {
      long clock = System.nanoTime();
      long processor = PROCESS.getProcessCpuTime();
      indication = validate(document, anchors);
      if (run < 0) continue;
      bestClock = Math.min(bestClock, System.nanoTime() - clock);
      bestProcessor = Math.min(bestProcessor, PROCESS.getProcessCpuTime() - processor);
    }
    return Judging.JSON
        .createObjectNode()
        .put("clockMs", bestClock / 1e6)
        .put("processorMs", bestProcessor / 1e6)
        .put("indication", indication);
  }

  private static String validate(DSSDocument document, CommonTrustedCertificateSource anchors) {
    CommonCertificateVerifier verifier = new CommonCertificateVerifier();
    verifier.setTrustedCertSources(anchors);
    verifier.setAIASource(null);
    PDFDocumentValidator validator = new PDFDocumentValidator(document);
    validator.setPdfObjFactory(withoutPictures());
    validator.setCertificateVerifier(verifier);
    validator.setEnableEtsiValidationReport(false);
    Reports reports = validator.validateDocument();
    String first = reports.getSimpleReport().getFirstSignatureId();
    return String.valueOf(reports.getSimpleReport().getIndication(first));
  }

  /** No page is drawn. */
  private static IPdfObjFactory withoutPictures() {
    IPdfObjFactory factory = new ServiceLoaderPdfObjFactory();
    DefaultPdfDifferencesFinder finder = new DefaultPdfDifferencesFinder();
    finder.setMaximalPagesAmountForVisualComparison(0);
    factory.setPdfDifferencesFinder(finder);
    return factory;
  }

  private DssValidateBench() {}
}
