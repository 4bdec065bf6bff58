// Receives notifications of the Partner Card Service: Java 17 or newer, no packages.
//
//   WEBHOOK_SECRET=whsec_… PORT=8000 java Receiver.java
//
// Put a proxy with TLS and a limit on bodies in front of it: the service calls public https addresses only.

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Receiver {
    private static final int TOLERANCE_SECONDS = 5 * 60;

    // Keep both in your database, and write them in the transaction that does the work: here they go with the process.
    private static final Set<String> seenIds = new HashSet<>();
    private static final Map<String, Long> sequences = new HashMap<>(); // of the stored state, by card

    public static void main(String[] arguments) throws Exception {
        String secret = System.getenv("WEBHOOK_SECRET").replaceFirst("^whsec_", "");
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret), "HmacSHA256"));
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "8000"));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.createContext("/", exchange -> receive(exchange, mac)); // one request at a time
        server.start();
        System.out.println("listening on " + port);
    }

    private static void receive(HttpExchange exchange, Mac mac) throws java.io.IOException {
        // The raw bytes: JSON that is parsed and written again does not fit.
        byte[] body = exchange.getRequestBody().readAllBytes();
        String notification = new String(body, StandardCharsets.UTF_8);
        byte[] answer = {};
        int status = 204;
        if (!exchange.getRequestMethod().equals("POST")) {
            status = 405;
        } else if (!isGenuine(exchange.getRequestHeaders(), body, mac)) {
            status = 401;
        } else if (text(notification, "type").equals("webhooks/challenge")) {
            status = 200;
            answer = text(notification, "challenge").getBytes(StandardCharsets.UTF_8);
        } else {
            // Quick work may be done at once. What takes longer than a few seconds belongs in a queue: answer first.
            apply(notification);
        }
        exchange.sendResponseHeaders(status, answer.length == 0 ? -1 : answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    /** Returns true if the service sent this within the tolerance, byte for byte. */
    private static boolean isGenuine(Headers headers, byte[] body, Mac mac) {
        String id = headers.getFirst("webhook-id");
        String timestamp = headers.getFirst("webhook-timestamp");
        String signatures = headers.getFirst("webhook-signature");
        if (id == null || timestamp == null || signatures == null || !timestamp.matches("[0-9]{1,12}")) return false;
        long age = System.currentTimeMillis() / 1000 - Long.parseLong(timestamp);
        if (Math.abs(age) > TOLERANCE_SECONDS) return false;
        mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        byte[] own = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
        // While a secret is being rotated there are two signatures: one that fits is enough.
        for (String given : signatures.split(" ")) {
            if (MessageDigest.isEqual(own, given.getBytes(StandardCharsets.UTF_8))) return true; // in constant time
        }
        return false;
    }

    /** Stores the state of the card if it is newer, and does the work of the topic once. */
    private static void apply(String notification) {
        String id = text(notification, "id"); // the first one: of the notification itself
        String card = notification.substring(notification.indexOf("\"card\":"));
        long sequence = Long.parseLong(value(notification, "sequence", "([0-9]+)"));
        if (!seenIds.add(id)) {
            System.out.println("repeat " + id);
            return;
        }
        if (sequence > sequences.getOrDefault(text(card, "id"), 0L)) {
            sequences.put(text(card, "id"), sequence);
        } else {
            System.out.println("late " + id); // the stored state stays
        }
        String dossier = text(card, "externalDossierId");
        System.out.println(text(notification, "topic") + " " + sequence + " " + dossier + " " + text(card, "status"));
    }

    // Java has no JSON of its own: use your library. These two read what the service is known to write, no other JSON.
    private static String text(String json, String name) {
        return value(json, name, "\"((?:[^\"\\\\]|\\\\.)*)\"");
    }

    private static String value(String json, String name, String pattern) {
        Matcher found = Pattern.compile("\"" + name + "\":" + pattern).matcher(json);
        if (!found.find()) throw new IllegalArgumentException("the notification has no " + name);
        return found.group(1);
    }
}
