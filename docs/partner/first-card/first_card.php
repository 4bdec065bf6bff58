<?php
// Creates a card of the Partner Card Service and opens it for a family: PHP 8.1 or newer, no packages.
//
//   SERVICE_URL=https://… TOKEN=pcs_test_… php first_card.php 2026-0142

declare(strict_types=1);

/** Sends an operation and returns the payload of its mutation; throws on any error. */
function send(string $query, array $variables, array $headers = []): array
{
    $headers[] = 'Content-Type: application/json';
    $headers[] = 'X-Service-Access-Token: ' . getenv('TOKEN');
    $body = json_encode(['query' => $query, 'variables' => $variables], JSON_THROW_ON_ERROR);
    $request = ['method' => 'POST', 'header' => $headers, 'content' => $body, 'ignore_errors' => true, 'timeout' => 60];
    $url = getenv('SERVICE_URL') . '/partner/api/2026-10/graphql';
    $text = file_get_contents($url, false, stream_context_create(['http' => $request]));
    if ($text === false) {
        throw new RuntimeException('the service does not answer');
    }
    $answer = json_decode($text, true, flags: JSON_THROW_ON_ERROR);
    if (isset($answer['errors'])) {
        ['message' => $message, 'extensions' => $extensions] = $answer['errors'][0];
        throw new RuntimeException("{$extensions['code']}: $message " . ($extensions['detail'] ?? ''));
    }
    $payload = reset($answer['data']);
    if ($payload['userErrors'] !== []) {
        $lines = array_map(fn ($error) => implode('.', $error['field'] ?? []) . ': ' . $error['message'], $payload['userErrors']);
        throw new RuntimeException(implode("\n", $lines));
    }
    return $payload;
}

const CREATE = 'mutation($input: CardCreateInput!) {
  cardCreate(input: $input) { card { id status } userErrors { field message code } }
}';
const OPEN = 'mutation($id: ID!) {
  cardSessionCreate(cardId: $id, target: CUSTOMIZER) { cardSession { url } userErrors { field message code } }
}';

$dossier = $argv[1];
$input = ['externalDossierId' => $dossier, 'deceased' => ['firstName' => 'Johanna', 'lastName' => 'van den Berg']];
// The key makes it safe to send the same request again. A digest is a valid key whatever characters the number has.
$key = hash('sha256', $dossier);
$card = send(CREATE, ['input' => $input], ["Idempotency-Key: $key"])['card'];
echo "card {$card['id']} {$card['status']}\n";
// Redirect the browser to it at once: it works one time, within ten minutes.
echo 'open ' . send(OPEN, ['id' => $card['id']])['cardSession']['url'] . "\n";
