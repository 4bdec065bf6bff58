// Creates a card of the Partner Card Service and opens it for a family: Java 17 or newer, no packages.
//
//   SERVICE_URL=https://… TOKEN=pcs_test_… java FirstCard.java 2026-0142

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class FirstCard {
    private static final String CREATE = "mutation($input: CardCreateInput!) {"
            + " cardCreate(input: $input) { card { id status } userErrors { field message code } } }";
    private static final String OPEN = "mutation($id: ID!) {"
            + " cardSessionCreate(cardId: $id, target: CUSTOMIZER) { cardSession { url } userErrors { field message code } } }";

    public static void main(String[] arguments) throws Exception {
        String dossier = arguments[0];
        String input = "{\"externalDossierId\":" + quoted(dossier)
                + ",\"deceased\":{\"firstName\":\"Johanna\",\"lastName\":\"van den Berg\"}}";
        // The key makes it safe to send the same request again. A digest is a valid key whatever characters the number has.
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(dossier.getBytes(StandardCharsets.UTF_8));
        String created = send(CREATE, "{\"input\":" + input + "}", HexFormat.of().formatHex(digest));
        String id = text(created, "id");
        System.out.println("card " + id + " " + text(created, "status"));
        // Redirect the browser to it at once: it works one time, within ten minutes.
        System.out.println("open " + text(send(OPEN, "{\"id\":" + quoted(id) + "}", null), "url"));
    }

    /** Sends an operation and returns the body of the answer; throws on any error. */
    private static String send(String query, String variables, String key) throws IOException, InterruptedException {
        URI endpoint = URI.create(System.getenv("SERVICE_URL") + "/partner/api/2026-10/graphql");
        String body = "{\"query\":" + quoted(query) + ",\"variables\":" + variables + "}";
        HttpRequest.Builder request = HttpRequest.newBuilder(endpoint)
                .header("Content-Type", "application/json")
                .header("X-Service-Access-Token", System.getenv("TOKEN"))
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (key != null) request.header("Idempotency-Key", key);
        String answer = HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
        if (answer.startsWith("{\"errors\"")) {
            throw new IOException(text(answer, "code") + ": " + text(answer, "message") + " " + text(answer, "detail"));
        }
        if (!answer.contains("\"userErrors\":[]")) throw new IOException(text(answer, "message"));
        return answer;
    }

    // Java has no JSON of its own: use your library. These two suffice for what is sent and read here.
    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    private static String text(String json, String name) {
        Matcher found = Pattern.compile("\"" + name + "\":\"((?:[^\"\\\\]|\\\\.)*)\"").matcher(json);
        if (!found.find()) throw new IllegalArgumentException("the answer has no " + name + ": " + json);
        return found.group(1);
    }
}
