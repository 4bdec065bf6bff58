// Receives notifications of the Partner Card Service: C#, no packages.
//
//   WEBHOOK_SECRET=whsec_… PORT=8000 dotnet run Receiver.cs         (.NET 10 or newer; for older ones, in a project)
//
// Put TLS in front of it: the service calls public https addresses only.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

public static class Receiver
{
    const int ToleranceSeconds = 5 * 60;
    const int BodyBytesMax = 64 * 1024;

    // Keep both in your database, and write them in the transaction that does the work: here they go with the process.
    static readonly HashSet<string> SeenIds = new HashSet<string>();
    static readonly Dictionary<string, long> Sequences = new Dictionary<string, long>(); // by card

    public static void Main()
    {
        var secret = Environment.GetEnvironmentVariable("WEBHOOK_SECRET") ?? "";
        var key = Convert.FromBase64String(Regex.Replace(secret, "^whsec_", ""));
        if (key.Length < 24) throw new InvalidOperationException("WEBHOOK_SECRET is not a secret: whsec_ and base64");
        var port = Environment.GetEnvironmentVariable("PORT") ?? "8000";
        var listener = new HttpListener();
        listener.Prefixes.Add("http://127.0.0.1:" + port + "/");
        listener.Start();
        Console.WriteLine("listening on " + port);
        while (true)
        {
            var context = listener.GetContext();
            context.Response.StatusCode = 500;
            try
            {
                byte[] text;
                context.Response.StatusCode = Receive(context.Request, key, out text);
                if (text.Length > 0) context.Response.OutputStream.Write(text, 0, text.Length);
            }
            catch (Exception error)
            {
                Console.Error.WriteLine(error.Message);
            }
            context.Response.Close();
        }
    }

    static int Receive(HttpListenerRequest request, byte[] key, out byte[] text)
    {
        text = new byte[0];
        if (request.HttpMethod != "POST") return 405;
        // The raw bytes: JSON that is parsed and written again does not fit.
        var body = Read(request.InputStream);
        if (body.Length > BodyBytesMax) return 413;
        if (!IsGenuine(request, body, key)) return 401;
        var notification = Encoding.UTF8.GetString(body);
        if (Text(notification, "type") == "webhooks/challenge")
        {
            text = Encoding.UTF8.GetBytes(Text(notification, "challenge"));
            return 200;
        }
        // Quick work may be done at once. What takes longer than a few seconds belongs in a queue: answer first.
        Apply(notification);
        return 204;
    }

    static byte[] Read(Stream stream)
    {
        var body = new MemoryStream();
        var chunk = new byte[8192];
        int count;
        while (body.Length <= BodyBytesMax && (count = stream.Read(chunk, 0, chunk.Length)) > 0)
        {
            body.Write(chunk, 0, count);
        }
        return body.ToArray();
    }

    /// <summary>Whether the service sent this, just now, byte for byte.</summary>
    static bool IsGenuine(HttpListenerRequest request, byte[] body, byte[] key)
    {
        var id = request.Headers["webhook-id"];
        var timestamp = request.Headers["webhook-timestamp"] ?? "";
        var signatures = request.Headers["webhook-signature"];
        if (string.IsNullOrEmpty(id) || signatures == null || !Regex.IsMatch(timestamp, @"\A[0-9]{1,12}\z")) return false;
        var age = DateTimeOffset.UtcNow.ToUnixTimeSeconds() - long.Parse(timestamp);
        if (Math.Abs(age) > ToleranceSeconds) return false;
        byte[] own;
        using (var hmac = new HMACSHA256(key))
        {
            var signed = Encoding.UTF8.GetBytes(id + "." + timestamp + ".").Concat(body).ToArray();
            own = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(hmac.ComputeHash(signed)));
        }
        // While a secret is being rotated there are two signatures: one that fits is enough.
        return signatures.Split(' ').Any(given =>
            CryptographicOperations.FixedTimeEquals(own, Encoding.UTF8.GetBytes(given)));
    }

    /// <summary>Does the work of a notification, once, and never goes back in time.</summary>
    static void Apply(string notification)
    {
        var id = Text(notification, "id"); // the first one: of the notification itself
        var card = notification.Substring(notification.IndexOf("\"card\":", StringComparison.Ordinal));
        var sequence = long.Parse(Value(notification, "sequence", "([0-9]+)"));
        long latest;
        Sequences.TryGetValue(Text(card, "id"), out latest);
        if (!SeenIds.Add(id))
        {
            Console.WriteLine("repeat " + id);
        }
        else if (sequence <= latest)
        {
            Console.WriteLine("overtaken " + id);
        }
        else
        {
            Sequences[Text(card, "id")] = sequence;
            Console.WriteLine(string.Join(" ",
                Text(notification, "topic"), sequence, Text(card, "externalDossierId"), Text(card, "status")));
        }
    }

    // Use System.Text.Json or Newtonsoft here; these two read what the service is known to write, and no other JSON, so
    // that this file also runs where neither is at hand.
    static string Text(string json, string name)
    {
        return Value(json, name, "\"((?:[^\"\\\\]|\\\\.)*)\"");
    }

    static string Value(string json, string name, string pattern)
    {
        var found = Regex.Match(json, "\"" + name + "\":" + pattern);
        if (!found.Success) throw new FormatException("the notification has no " + name);
        return found.Groups[1].Value;
    }
}
