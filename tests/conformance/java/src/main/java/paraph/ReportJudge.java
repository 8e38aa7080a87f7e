package paraph;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import eu.europa.esig.validationreport.ValidationReportFacade;
import eu.europa.esig.validationreport.jaxb.SignatureValidationReportType;
import eu.europa.esig.validationreport.jaxb.ValidationReportType;
import eu.europa.esig.validationreport.jaxb.ValidationStatusType;
import java.io.File;

/**
 * Lets EU DSS read reports by ETSI TS 119 102-2: each is validated against the schema of the standard and read into objects.
 *
 * <p>In: {"files": ["a.xml", …]}. Out, per file: {"file", "signatures": [{"indication", "subIndication"}], "objects"} or
 * {"file", "error"}.
 */
public final class ReportJudge {
  public static void main(String[] arguments) throws Exception {
    Judging.hold(ReportJudge::open);
  }

  private static Judging.Judge open(JsonNode order) {
    return file -> verdict(new File(file));
  }

  private static ObjectNode verdict(File file) throws Exception {
    ValidationReportType report = ValidationReportFacade.newFacade().unmarshall(file, true);
    ObjectNode verdict = Judging.JSON.createObjectNode();
    ArrayNode signatures = verdict.putArray("signatures");
    for (SignatureValidationReportType signature : report.getSignatureValidationReport()) {
      ValidationStatusType status = signature.getSignatureValidationStatus();
      ObjectNode told = signatures.addObject();
      // A name that DSS does not know is read as nothing.
      told.put("indication", status.getMainIndication() == null ? "" : status.getMainIndication().name());
      if (!status.getSubIndication().isEmpty()) {
        told.put("subIndication", String.valueOf(status.getSubIndication().get(0)));
      }
    }
    boolean hasObjects = report.getSignatureValidationObjects() != null;
    return verdict.put(
        "objects", hasObjects ? report.getSignatureValidationObjects().getValidationObject().size() : 0);
  }

  private ReportJudge() {}
}
