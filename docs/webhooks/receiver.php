<?php
// Receives notifications of the Partner Card Service: PHP 8.1 or newer, no packages.
//
//   WEBHOOK_SECRET=whsec_… STATE_FOLDER=/var/lib/webhooks php -S 127.0.0.1:8000 receiver.php
//
// Or let your web server call it. Put a proxy with TLS and a limit on bodies in front of it: the service calls public https addresses only.

declare(strict_types=1);

const TOLERANCE_SECONDS = 5 * 60;

/** Returns true if the service sent this within the tolerance, byte for byte. */
function is_genuine(string $key, string $body): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if ($id === '' || !preg_match('/^\d{1,12}$/D', $timestamp) || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $own = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // While a secret is being rotated there are two signatures: one that fits is enough.
    $given = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');
    return array_filter($given, fn (string $signature) => hash_equals($own, $signature)) !== [];
}

/** Stores the state of the card if it is newer, and does the work of the topic once. */
function apply(array $notification, string $folder): void
{
    // Keep both in your database, and write them in the transaction that does the work: here they are files.
    $file = fopen("$folder/notifications.json", 'c+');
    flock($file, LOCK_EX);
    $kept = json_decode(stream_get_contents($file) ?: '', true) ?? ['ids' => [], 'sequences' => []];
    ['id' => $id, 'topic' => $topic, 'sequence' => $sequence, 'data' => ['card' => $card]] = $notification;
    if (isset($kept['ids'][$id])) {
        say("repeat $id");
        return;
    }
    $kept['ids'][$id] = true;
    if ($sequence > ($kept['sequences'][$card['id']] ?? 0)) {
        $kept['sequences'][$card['id']] = $sequence;
    } else {
        say("late $id"); // the stored state stays
    }
    say("$topic $sequence {$card['externalDossierId']} {$card['status']}");
    rewind($file);
    fwrite($file, json_encode($kept));
}

function say(string $line): void
{
    file_put_contents('php://stdout', "$line\n");
}

function receive(): int
{
    if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
        return 405;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', (string) getenv('WEBHOOK_SECRET')), true);
    $body = file_get_contents('php://input'); // the raw bytes: JSON that is parsed and written again does not fit
    if ($key === false || strlen($key) < 24 || !is_genuine($key, $body)) {
        return 401;
    }
    $notification = json_decode($body, true, 32, JSON_THROW_ON_ERROR);
    if ($notification['type'] === 'webhooks/challenge') {
        echo $notification['challenge'];
        return 200;
    }
    // Quick work may be done at once. What takes longer than a few seconds belongs in a queue: answer first.
    apply($notification, getenv('STATE_FOLDER') ?: sys_get_temp_dir());
    return 204;
}

http_response_code(receive());
