<?php
// Receives notifications of the Partner Card Service: PHP 8.1 or newer, no packages.
//
//   WEBHOOK_SECRET=whsec_… STATE_FOLDER=/var/lib/webhooks php -S 127.0.0.1:8000 receiver.php
//
// Or let your web server call it. Put TLS in front of it: the service calls public https addresses only.

declare(strict_types=1);

const TOLERANCE_SECONDS = 5 * 60;
const BODY_BYTES_MAX = 64 * 1024;

/** Whether the service sent this, just now, byte for byte. */
function is_genuine(string $key, string $body): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if ($id === '' || !preg_match('/^\d{1,12}$/D', $timestamp)) {
        return false;
    }
    if (abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $own = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // While a secret is being rotated there are two signatures: one that fits is enough.
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
        if (hash_equals($own, $given)) {
            return true;
        }
    }
    return false;
}

/** Does the work of a notification, once, and never goes back in time. */
function apply(array $notification, string $folder): void
{
    // Keep both in your database, and write them in the transaction that does the work: here they are files.
    $state = fopen("$folder/notifications.json", 'c+');
    flock($state, LOCK_EX);
    $kept = json_decode(stream_get_contents($state) ?: '', true) ?? ['ids' => [], 'sequences' => []];
    $card = $notification['data']['card'];
    if (isset($kept['ids'][$notification['id']])) {
        say("repeat {$notification['id']}");
    } elseif ($notification['sequence'] <= ($kept['sequences'][$card['id']] ?? 0)) {
        say("overtaken {$notification['id']}");
    } else {
        $kept['sequences'][$card['id']] = $notification['sequence'];
        say("{$notification['topic']} {$notification['sequence']} {$card['externalDossierId']} {$card['status']}");
    }
    $kept['ids'][$notification['id']] = true;
    ftruncate($state, 0);
    rewind($state);
    fwrite($state, json_encode($kept));
    fclose($state);
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
    if ($key === false || strlen($key) < 24) {
        error_log('WEBHOOK_SECRET is not a secret: whsec_ and base64');
        return 500;
    }
    // The raw bytes: JSON that is parsed and written again does not fit.
    $body = file_get_contents('php://input', false, null, 0, BODY_BYTES_MAX + 1);
    if (strlen($body) > BODY_BYTES_MAX) {
        return 413;
    }
    if (!is_genuine($key, $body)) {
        return 401;
    }
    $notification = json_decode($body, true, 32, JSON_THROW_ON_ERROR);
    if ($notification['type'] === 'webhooks/challenge') {
        header('Content-Type: text/plain');
        echo $notification['challenge'];
        return 200;
    }
    // Quick work may be done at once. What takes longer than a few seconds belongs in a queue: answer first.
    apply($notification, getenv('STATE_FOLDER') ?: sys_get_temp_dir());
    return 204;
}

http_response_code(receive());
