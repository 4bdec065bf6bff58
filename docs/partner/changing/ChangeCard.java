// Sets or clears the broadcast address of a card, may change the first name of the deceased, and leaves its other fields as they
// are: Java 17 or newer, no packages.
//
//   SERVICE_URL=https://… TOKEN=pcs_test_… java ChangeCard.java gid://service/Card/… https://video.example/afscheid [Johanna]
//
// `-` in the place of the address clears it.

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class ChangeCard {
    /** The fields of a change: null leaves a field as it is. To clear one, send a map. */
    record CardUpdate(String livestreamUrl, String themeId, Deceased deceased) {}

    record Deceased(String firstName, String lastName) {}

    private static final String UPDATE = "mutation($id: ID!, $input: CardUpdateInput!) {"
            + " cardUpdate(id: $id, input: $input) { card { livestreamUrl } userErrors { field message code } } }";

    public static void main(String[] arguments) throws Exception {
        Deceased deceased = arguments.length > 2 ? new Deceased(arguments[2], null) : null;
        Object input = new CardUpdate(arguments[1], null, deceased);
        if (arguments[1].equals("-")) {
            Map<String, Object> cleared = new LinkedHashMap<>();
            cleared.put("livestreamUrl", null);
            if (deceased != null) cleared.put("deceased", deceased);
            input = cleared;
        }
        String body = json(Map.of("query", UPDATE, "variables", Map.of("id", arguments[0], "input", input)));
        HttpRequest request = HttpRequest.newBuilder(URI.create(System.getenv("SERVICE_URL") + "/partner/api/2026-10/graphql"))
                .header("Content-Type", "application/json")
                .header("X-Service-Access-Token", System.getenv("TOKEN"))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        String answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
        if (!answer.contains("\"userErrors\":[]")) throw new IOException(message(answer));
        System.out.println(answer);
    }

    /** Writes maps with their null values, and records without unset fields: with Jackson, Include.NON_NULL on each class. */
    private static String json(Object value) throws ReflectiveOperationException {
        if (value == null) return "null";
        if (value instanceof String text) return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
        StringJoiner members = new StringJoiner(",", "{", "}");
        if (value instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> member : map.entrySet()) members.add(json(member.getKey()) + ":" + json(member.getValue()));
            return members.toString();
        }
        for (RecordComponent field : value.getClass().getRecordComponents()) {
            Object inner = field.getAccessor().invoke(value);
            if (inner != null) members.add(json(field.getName()) + ":" + json(inner));
        }
        return members.toString();
    }

    private static String message(String answer) {
        Matcher found = Pattern.compile("\"message\":\"((?:[^\"\\\\]|\\\\.)*)\"").matcher(answer);
        return found.find() ? found.group(1) : answer;
    }
}
