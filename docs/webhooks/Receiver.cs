// Receives notifications of the Partner Card Service: C#, no packages.
//
//   WEBHOOK_SECRET=whsec_… PORT=8000 dotnet run Receiver.cs         (.NET 10 or newer; for older ones, in a project)
//
// Put a proxy with TLS and a limit on bodies in front of it: the service calls public https addresses only.

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

    // Keep both in your database, and write them in the transaction that does the work: here they go with the process.
    static readonly HashSet<string> SeenIds = new HashSet<string>();
    static readonly Dictionary<string, long> Sequences = new Dictionary<string, long>(); // of the stored state, by card

    public static void Main()
    {
        var secret = Environment.GetEnvironmentVariable("WEBHOOK_SECRET") ?? "";
        var key = Convert.FromBase64String(Regex.Replace(secret, "^whsec_", ""));
        var port = Environment.GetEnvironmentVariable("PORT") ?? "8000";
        var listener = new HttpListener();
        listener.Prefixes.Add("http://127.0.0.1:" + port + "/");
        listener.Start();
        Console.WriteLine("listening on " + port);
        while (true)
        {
            var context = listener.GetContext(); // one request at a time
            try
            {
                Receive(context, key);
            }
            catch (Exception error)
            {
                Console.Error.WriteLine(error);
                context.Response.Abort();
            }
        }
    }

    static void Receive(HttpListenerContext context, byte[] key)
    {
        // The raw bytes: JSON that is parsed and written again does not fit.
        var body = new MemoryStream();
        context.Request.InputStream.CopyTo(body);
        var notification = Encoding.UTF8.GetString(body.ToArray());
        var answer = new byte[0];
        var status = 204;
        if (context.Request.HttpMethod != "POST")
        {
            status = 405;
        }
        else if (!IsGenuine(context.Request, body.ToArray(), key))
        {
            status = 401;
        }
        else if (Text(notification, "type") == "webhooks/challenge")
        {
            status = 200;
            answer = Encoding.UTF8.GetBytes(Text(notification, "challenge"));
        }
        else
        {
            // Quick work may be done at once. What takes longer than a few seconds belongs in a queue: answer first.
            Apply(notification);
        }
        context.Response.StatusCode = status;
        context.Response.Close(answer, true);
    }

    /// <summary>Returns true if the service sent this within the tolerance, byte for byte.</summary>
    static bool IsGenuine(HttpListenerRequest request, byte[] body, byte[] key)
    {
        var id = request.Headers["webhook-id"];
        var timestamp = request.Headers["webhook-timestamp"] ?? "";
        var signatures = request.Headers["webhook-signature"];
        if (string.IsNullOrEmpty(id) || signatures == null || !Regex.IsMatch(timestamp, @"\A[0-9]{1,12}\z")) return false;
        var age = DateTimeOffset.UtcNow.ToUnixTimeSeconds() - long.Parse(timestamp);
        if (Math.Abs(age) > ToleranceSeconds) return false;
        var signed = Encoding.UTF8.GetBytes(id + "." + timestamp + ".").Concat(body).ToArray();
        byte[] own;
        using (var hmac = new HMACSHA256(key)) own = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(hmac.ComputeHash(signed)));
        // While a secret is being rotated there are two signatures: one that fits is enough.
        return signatures.Split(' ').Any(given =>
            CryptographicOperations.FixedTimeEquals(own, Encoding.UTF8.GetBytes(given)));
    }

    /// <summary>Stores the state of the card if it is newer, and does the work of the topic once.</summary>
    static void Apply(string notification)
    {
        var id = Text(notification, "id"); // the first one: of the notification itself
        var card = notification.Substring(notification.IndexOf("\"card\":", StringComparison.Ordinal));
        var sequence = long.Parse(Value(notification, "sequence", "([0-9]+)"));
        if (!SeenIds.Add(id))
        {
            Console.WriteLine("repeat " + id);
            return;
        }
        long stored;
        Sequences.TryGetValue(Text(card, "id"), out stored);
        if (sequence > stored) Sequences[Text(card, "id")] = sequence;
        else Console.WriteLine("late " + id); // the stored state stays
        Console.WriteLine(string.Join(" ",
            Text(notification, "topic"), sequence, Text(card, "externalDossierId"), Text(card, "status")));
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
