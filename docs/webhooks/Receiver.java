// Receives notifications of the Partner Card Service: Java 17 or newer, no packages.
//
//   WEBHOOK_SECRET=whsec_… PORT=8000 java Receiver.java
//
// Put TLS in front of it: the service calls public https addresses only.

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
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
    private static final int BODY_BYTES_MAX = 64 * 1024;

    // Keep both in your database, and write them in the transaction that does the work: here they go with the process.
    private static final Set<String> seenIds = new HashSet<>();
    private static final Map<String, Long> sequences = new HashMap<>(); // by card

    public static void main(String[] arguments) throws IOException {
        String secret = System.getenv().getOrDefault("WEBHOOK_SECRET", "");
        byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
        if (key.length < 24) throw new IllegalStateException("WEBHOOK_SECRET is not a secret: whsec_ and base64");
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "8000"));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.createContext("/", exchange -> {
            Answer answer = new Answer(500, "");
            try {
                answer = receive(exchange, key);
            } finally {
                byte[] text = answer.text().getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(answer.status(), text.length == 0 ? -1 : text.length);
                if (text.length > 0) exchange.getResponseBody().write(text);
                exchange.close();
            }
        });
        server.start();
        System.out.println("listening on " + port);
    }

    private record Answer(int status, String text) {}

    private static Answer receive(HttpExchange exchange, byte[] key) throws IOException {
        if (!exchange.getRequestMethod().equals("POST")) return new Answer(405, "");
        // The raw bytes: JSON that is parsed and written again does not fit.
        byte[] body = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX + 1);
        if (body.length > BODY_BYTES_MAX) return new Answer(413, "");
        if (!isGenuine(exchange.getRequestHeaders(), body, key)) return new Answer(401, "");
        String notification = new String(body, StandardCharsets.UTF_8);
        if (text(notification, "type").equals("webhooks/challenge")) {
            return new Answer(200, text(notification, "challenge"));
        }
        // Quick work may be done at once. What takes longer than a few seconds belongs in a queue: answer first.
        apply(notification);
        return new Answer(204, "");
    }

    /** Whether the service sent this, just now, byte for byte. */
    private static boolean isGenuine(Headers headers, byte[] body, byte[] key) {
        String id = headers.getFirst("webhook-id");
        String timestamp = headers.getFirst("webhook-timestamp");
        String signatures = headers.getFirst("webhook-signature");
        if (id == null || timestamp == null || signatures == null || !timestamp.matches("[0-9]{1,12}")) return false;
        long age = System.currentTimeMillis() / 1000 - Long.parseLong(timestamp);
        if (Math.abs(age) > TOLERANCE_SECONDS) return false;
        byte[] own;
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
            own = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
        // While a secret is being rotated there are two signatures: one that fits is enough.
        for (String given : signatures.split(" ")) {
            if (MessageDigest.isEqual(own, given.getBytes(StandardCharsets.UTF_8))) return true; // in constant time
        }
        return false;
    }

    /** Does the work of a notification, once, and never goes back in time. */
    private static synchronized void apply(String notification) {
        String id = text(notification, "id"); // the first one: of the notification itself
        String card = notification.substring(notification.indexOf("\"card\":"));
        long sequence = Long.parseLong(value(notification, "sequence", "([0-9]+)"));
        if (!seenIds.add(id)) {
            System.out.println("repeat " + id);
        } else if (sequence <= sequences.getOrDefault(text(card, "id"), 0L)) {
            System.out.println("overtaken " + id);
        } else {
            sequences.put(text(card, "id"), sequence);
            String topic = text(notification, "topic");
            System.out.println(
                    topic + " " + sequence + " " + text(card, "externalDossierId") + " " + text(card, "status"));
        }
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
