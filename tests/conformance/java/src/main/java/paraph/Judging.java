package paraph;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What both judges share: an order on standard input, one line of JSON per file on standard output. */
final class Judging {
  static final ObjectMapper JSON = new ObjectMapper();

  interface Judge {
    ObjectNode verdictOn(String file) throws Exception;
  }

  interface Court {
    Judge open(JsonNode order) throws Exception;
  }

  static void hold(Court court) throws Exception {
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    // Libraries that greet on standard output must not do it between the verdicts.
    System.setOut(new PrintStream(OutputStream.nullOutputStream()));
    JsonNode order = JSON.readTree(System.in);
    Judge judge = court.open(order);
    ExecutorService threads = Executors.newFixedThreadPool(processors(), Judging::mortal);
    List<Future<ObjectNode>> verdicts = new ArrayList<>();
    for (JsonNode file : order.withArray("files")) {
      verdicts.add(threads.submit(() -> verdict(judge, file.asText())));
    }
    for (Future<ObjectNode> verdict : verdicts) {
      out.println(JSON.writeValueAsString(verdict.get()));
    }
    out.flush();
  }

  private static int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** An error that nobody foresaw ends the program at once and with a status, instead of leaving it waiting. */
  private static Thread mortal(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    return thread;
  }

  /** A file that a judge cannot read must not cost the verdicts on the others. */
  private static ObjectNode verdict(Judge judge, String file) {
    ObjectNode verdict;
    try {
      verdict = judge.verdictOn(file);
    } catch (Exception | StackOverflowError error) {
      verdict = JSON.createObjectNode().put("error", error.toString());
    }
    return verdict.put("file", file);
  }

  private Judging() {}
}
