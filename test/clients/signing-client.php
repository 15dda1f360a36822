<?php
// Drives the PECL extension oauth, unmodified. Prints what it saw as JSON.
$keys = json_decode(getenv('KEYS'), true);
$site = getenv('SITE');
function client(string $secret): OAuth
{
    global $keys;
    $client = new OAuth($keys['consumer_key'], $keys['consumer_secret'], OAUTH_SIG_METHOD_HMACSHA1);
    $client->setToken($keys['access_token'], $secret);
    return $client;
}
$client = client($keys['access_token_secret']);
$call = function (string $method, string $path, $body = null, array $query = []) use ($client, $site) {
    $headers = $body === null ? [] : ['Content-Type' => 'application/json'];
    $client->fetch($site . $path, $body ?? $query, $method, $headers);
    return json_decode($client->getLastResponse(), true);
};
$text = 'Über die Brücke & zurück, 100 %';
$seen = ['me' => $call('GET', '/2/users/me')['data']['username']];
$id = $call('POST', '/2/posts', json_encode(['text' => $text]))['data']['id'];
$seen['text'] = $call('GET', "/2/posts/$id", null, ['post.fields' => 'author_id'])['data']['text'];
$verified = $call('GET', '/1.1/account/verify_credentials.json', null, ['include_entities' => 'true', 'x' => 'a b+c']);
$seen['verified'] = $verified['screen_name'];
$call('GET', '/2/posts/search/recent', null, ['query' => 'brücke from:demo']);
$seen['found'] = (string) $client->getLastResponseInfo()['http_code'];
$seen['deleted'] = $call('DELETE', "/2/posts/$id")['data']['deleted'];
try {
    client('wrong')->fetch("$site/2/users/me");
} catch (OAuthException $error) {
    $seen['wrong'] = (string) $error->getCode();
}
$request = new OAuth($keys['consumer_key'], $keys['consumer_secret'], OAUTH_SIG_METHOD_HMACSHA1);
$token = $request->getRequestToken("$site/oauth/request_token", 'oob', 'POST');
$seen['authorize'] = isset($token['oauth_token'], $token['oauth_token_secret']);
echo json_encode($seen, JSON_UNESCAPED_UNICODE);
