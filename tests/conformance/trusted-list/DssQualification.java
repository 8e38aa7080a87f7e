// What EU DSS says a certificate is worth under a trusted list. The argument is a folder with operator.der, authority.der,
// root.der and, for each line "name time" of cases.txt, name.xml (the list) and name.der (the certificate). One line each:
// the name, the qualification at issuance, and that at the time.

import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.model.InMemoryDocument;
import eu.europa.esig.dss.model.x509.CertificateToken;
import eu.europa.esig.dss.simplecertificatereport.SimpleCertificateReport;
import eu.europa.esig.dss.spi.DSSUtils;
import eu.europa.esig.dss.spi.client.http.DSSCacheFileLoader;
import eu.europa.esig.dss.spi.tsl.TrustedListsCertificateSource;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.x509.CommonCertificateSource;
import eu.europa.esig.dss.tsl.job.TLValidationJob;
import eu.europa.esig.dss.tsl.source.TLSource;
import eu.europa.esig.dss.validation.CertificateValidator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;

public class DssQualification {
  private static Path folder;

  public static void main(String[] arguments) throws Exception {
    folder = Path.of(arguments[0]);
    for (String line : Files.readAllLines(folder.resolve("cases.txt"))) {
      String[] parts = line.split(" ");
      SimpleCertificateReport report = judge(parts[0], Date.from(Instant.parse(parts[1])));
      System.out.println(parts[0] + " " + report.getQualificationAtCertificateIssuance() + " "
          + report.getQualificationAtValidationTime());
    }
  }

  private static SimpleCertificateReport judge(String name, Date at) throws Exception {
    CommonCertificateVerifier verifier = new CommonCertificateVerifier();
    verifier.setTrustedCertSources(trusted(name));
    verifier.setAdjunctCertSources(source("authority", "root"));
    CertificateValidator validator = CertificateValidator.fromCertificate(token(name));
    validator.setCertificateVerifier(verifier);
    validator.setValidationTime(at);
    return validator.validate().getSimpleReport();
  }

  private static TrustedListsCertificateSource trusted(String name) throws Exception {
    byte[] list = Files.readAllBytes(folder.resolve(name + ".xml"));
    TLSource source = new TLSource();
    source.setUrl("https://lists.example.org/" + name);
    source.setCertificateSource(source("operator"));
    TrustedListsCertificateSource trusted = new TrustedListsCertificateSource();
    TLValidationJob job = new TLValidationJob();
    job.setTrustedListCertificateSource(trusted);
    job.setTrustedListSources(source);
    job.setOfflineDataLoader(new OneFile(list));
    job.offlineRefresh();
    return trusted;
  }

  private static CommonCertificateSource source(String... names) throws Exception {
    CommonCertificateSource source = new CommonCertificateSource();
    for (String name : names) source.addCertificate(token(name));
    return source;
  }

  private static CertificateToken token(String name) throws Exception {
    return DSSUtils.loadCertificate(Files.readAllBytes(folder.resolve(name + ".der")));
  }

  private record OneFile(byte[] bytes) implements DSSCacheFileLoader {
    public DSSDocument getDocument(String url) {
      return new InMemoryDocument(bytes, url);
    }

    public DSSDocument getDocument(String url, boolean refresh) {
      return getDocument(url);
    }

    public DSSDocument getDocumentFromCache(String url) {
      return getDocument(url);
    }

    public boolean remove(String url) {
      return true;
    }
  }
}
