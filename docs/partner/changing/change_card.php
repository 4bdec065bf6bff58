<?php
// Sets or clears the broadcast address of a card, may change the first name of the deceased, and leaves its other fields as they
// are: PHP 8.1 or newer, no packages.
//
//   SERVICE_URL=https://… TOKEN=pcs_test_… php change_card.php gid://service/Card/… https://video.example/afscheid [Johanna]
//
// `-` in the place of the address clears it.

declare(strict_types=1);

/** The fields that a program may set; null means "not set". */
final class CardUpdate
{
    public ?string $livestreamUrl = null;
    public ?string $themeId = null;
    public ?Deceased $deceased = null;
    public ?array $familyContact = null;
}

final class Deceased
{
    public ?string $firstName = null;
    public ?string $lastName = null;
}

/** Leaves out unset fields, also of objects and arrays inside. An object, because json_encode writes an empty array as []. */
function without_null(mixed $value): mixed
{
    $fields = is_object($value) ? get_object_vars($value) : $value;
    if (!is_array($fields) || ($fields !== [] && array_is_list($fields))) {
        return $value;
    }
    return (object) array_map(without_null(...), array_filter($fields, fn ($field) => $field !== null));
}

[, $id, $address] = $argv;
$update = new CardUpdate();
if ($address !== '-') {
    $update->livestreamUrl = $address;
}
if (isset($argv[3])) {
    $update->deceased = new Deceased();
    $update->deceased->firstName = $argv[3];
}
// json_encode would write every unset field as null, which clears it.
$input = without_null($update);
if ($address === '-') {
    $input->livestreamUrl = null;
}

$query = 'mutation($id: ID!, $input: CardUpdateInput!) {
  cardUpdate(id: $id, input: $input) { card { livestreamUrl } userErrors { field message code } }
}';
$body = json_encode(['query' => $query, 'variables' => ['id' => $id, 'input' => $input]], JSON_THROW_ON_ERROR);
$headers = ['Content-Type: application/json', 'X-Service-Access-Token: ' . getenv('TOKEN')];
$request = ['method' => 'POST', 'header' => $headers, 'content' => $body, 'ignore_errors' => true, 'timeout' => 60];
$url = getenv('SERVICE_URL') . '/partner/api/2026-10/graphql';
$text = file_get_contents($url, false, stream_context_create(['http' => $request]));
$answer = json_decode((string) $text, true, flags: JSON_THROW_ON_ERROR);
if (isset($answer['errors'])) {
    ['message' => $message, 'extensions' => $extensions] = $answer['errors'][0];
    throw new RuntimeException("{$extensions['code']}: $message " . ($extensions['detail'] ?? ''));
}
['card' => $card, 'userErrors' => $userErrors] = $answer['data']['cardUpdate'];
if ($userErrors !== []) {
    throw new RuntimeException(implode("\n", array_column($userErrors, 'message')));
}
echo 'broadcast ' . json_encode($card['livestreamUrl'], JSON_UNESCAPED_SLASHES) . "\n";
