package paraph;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.LogManager;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.PDFAValidator;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;
import org.verapdf.pdfa.validation.profiles.RuleId;

/**
 * Lets veraPDF judge whether files are the PDF/A that they claim to be.
 *
 * <p>In: {"files": ["a.pdf", …], "flavour": "2b"}; without a flavour the one that the file's own metadata claims.
 * Out, per file: {"file", "flavour", "compliant", "failed": [{"clause", "test", "message"}]} or {"file", "error"}.
 */
public final class VeraPdfJudge {
  public static void main(String[] arguments) throws Exception {
    LogManager.getLogManager().reset();
    VeraGreenfieldFoundryProvider.initialise();
    Judging.hold(VeraPdfJudge::open);
  }

  private static Judging.Judge open(JsonNode order) {
    String asked = order.path("flavour").asText("");
    PDFAFlavour flavour = PDFAFlavour.byFlavourId(asked);
    if (!asked.isEmpty() && flavour == PDFAFlavour.NO_FLAVOUR) {
      throw new IllegalArgumentException("veraPDF knows no flavour " + asked);
    }
    return file -> verdict(new File(file), flavour);
  }

  private static ObjectNode verdict(File file, PDFAFlavour asked) throws Exception {
    ObjectNode verdict = Judging.JSON.createObjectNode();
    try (PDFAParser parser = parserOf(file, asked)) {
      PDFAFlavour flavour = asked == PDFAFlavour.NO_FLAVOUR ? parser.getFlavour() : asked;
      // veraPDF would fall back to PDF/A-1b for a file that claims nothing; here that is no PDF/A at all.
      if (flavour == PDFAFlavour.NO_FLAVOUR) {
        return verdict.put("flavour", "none").put("compliant", false);
      }
      try (PDFAValidator validator = Foundries.defaultInstance().createValidator(flavour, false)) {
        ValidationResult result = validator.validate(parser);
        verdict.put("flavour", flavour.getId()).put("compliant", result.isCompliant());
        writeFailures(result, verdict.putArray("failed"));
      }
    }
    return verdict;
  }

  private static PDFAParser parserOf(File file, PDFAFlavour asked) throws Exception {
    return asked == PDFAFlavour.NO_FLAVOUR
        ? Foundries.defaultInstance().createParser(file, PDFAFlavour.NO_FLAVOUR, PDFAFlavour.NO_FLAVOUR)
        : Foundries.defaultInstance().createParser(file, asked);
  }

  /** A rule that fails at a thousand places is told once, with the first place; in order, for veraPDF keeps none. */
  private static void writeFailures(ValidationResult result, ArrayNode failed) {
    Map<String, TestAssertion> first = new TreeMap<>();
    for (TestAssertion assertion : result.getTestAssertions()) {
      RuleId rule = assertion.getRuleId();
      if (assertion.getStatus() == TestAssertion.Status.FAILED) {
        first.putIfAbsent(rule.getClause() + "-" + rule.getTestNumber(), assertion);
      }
    }
    for (TestAssertion assertion : first.values()) {
      String said = assertion.getErrorMessage();
      failed
          .addObject()
          .put("clause", assertion.getRuleId().getClause())
          .put("test", assertion.getRuleId().getTestNumber())
          .put("message", said == null ? assertion.getMessage() : said)
          .put("at", assertion.getLocation().getContext());
    }
  }

  private VeraPdfJudge() {}
}
