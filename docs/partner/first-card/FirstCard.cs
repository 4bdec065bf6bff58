// Creates a card of the Partner Card Service and opens it for a family: C#, no packages.
//
//   SERVICE_URL=https://… TOKEN=pcs_test_… dotnet run FirstCard.cs 2026-0142     (.NET 10 or newer; for older ones, in a project)

using System;
using System.Net.Http;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

public static class FirstCard
{
    const string Create = "mutation($input: CardCreateInput!) {"
        + " cardCreate(input: $input) { card { id status } userErrors { field message code } } }";
    const string Open = "mutation($id: ID!) {"
        + " cardSessionCreate(cardId: $id, target: CUSTOMIZER) { cardSession { url } userErrors { field message code } } }";

    public static void Main(string[] arguments)
    {
        var dossier = arguments[0];
        var input = "{\"externalDossierId\":" + Quoted(dossier)
            + ",\"deceased\":{\"firstName\":\"Johanna\",\"lastName\":\"van den Berg\"}}";
        // The key makes it safe to send the same request again. A digest is a valid key whatever characters the number has.
        var created = Send(Create, "{\"input\":" + input + "}", Digest(dossier));
        var id = Text(created, "id");
        Console.WriteLine("card " + id + " " + Text(created, "status"));
        // Redirect the browser to it at once: it works one time, within ten minutes.
        Console.WriteLine("open " + Text(Send(Open, "{\"id\":" + Quoted(id) + "}", null), "url"));
    }

    /// <summary>Sends an operation and returns the body of the answer; throws on any error.</summary>
    static string Send(string query, string variables, string key)
    {
        var endpoint = Environment.GetEnvironmentVariable("SERVICE_URL") + "/partner/api/2026-10/graphql";
        using (var client = new HttpClient())
        using (var request = new HttpRequestMessage(HttpMethod.Post, endpoint))
        {
            var body = "{\"query\":" + Quoted(query) + ",\"variables\":" + variables + "}";
            request.Content = new StringContent(body, Encoding.UTF8, "application/json");
            request.Headers.Add("X-Service-Access-Token", Environment.GetEnvironmentVariable("TOKEN"));
            if (key != null) request.Headers.Add("Idempotency-Key", key);
            var answer = client.SendAsync(request).Result.Content.ReadAsStringAsync().Result;
            if (answer.StartsWith("{\"errors\""))
                throw new Exception(Text(answer, "code") + ": " + Text(answer, "message") + " " + Text(answer, "detail"));
            if (!answer.Contains("\"userErrors\":[]")) throw new Exception(Text(answer, "message"));
            return answer;
        }
    }

    static string Digest(string text)
    {
        using (var sha256 = SHA256.Create())
        {
            return BitConverter.ToString(sha256.ComputeHash(Encoding.UTF8.GetBytes(text))).Replace("-", "").ToLowerInvariant();
        }
    }

    // Use System.Text.Json or Newtonsoft here; these two suffice for what is sent and read, so that this file also runs where
    // neither is at hand.
    static string Quoted(string text)
    {
        return "\"" + text.Replace("\\", "\\\\").Replace("\"", "\\\"") + "\"";
    }

    static string Text(string json, string name)
    {
        var found = Regex.Match(json, "\"" + name + "\":\"((?:[^\"\\\\]|\\\\.)*)\"");
        if (!found.Success) throw new FormatException("the answer has no " + name + ": " + json);
        return found.Groups[1].Value;
    }
}
