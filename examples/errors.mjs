// Asks a running Plaza for everything that it must reject, and prints what it says.
//
//   npm start -- --ready-file ready.json
//   NODE_EXTRA_CA_CERTS=plaza-data/tls/ca.pem node examples/errors.mjs ready.json
//
// Signs with the unmodified npm package "oauth-1.0a".
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import OAuth from 'oauth-1.0a'

const { core_url: core, app, user } = JSON.parse(readFileSync(process.argv[2] ?? 'ready.json', 'utf8'))
const KEY = { key: app.consumer_key, secret: app.consumer_secret }
const TOKEN = { key: user.access_token, secret: user.access_token_secret }
const CLIENT_CREDENTIALS = { grant_type: 'client_credentials' }

/**
 * The Authorization header of a signed request; `change` may spoil its parts before they are
 * signed.
 */
function signed(method, path, { consumer = KEY, token = TOKEN, data, change = (parts) => parts } = {}) {
  const signer = new OAuth({
    consumer,
    signature_method: 'HMAC-SHA1',
    hash_function: (base, key) => createHmac('sha1', key).update(base).digest('base64'),
  })
  const request = { method, url: core + path, data }
  const parts = change({
    oauth_consumer_key: consumer.key,
    oauth_nonce: signer.getNonce(),
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: signer.getTimeStamp(),
    oauth_version: '1.0',
    ...(token && { oauth_token: token.key }),
  })
  parts.oauth_signature = signer.getSignature(request, token?.secret ?? '', parts)
  return signer.toHeader(parts).Authorization
}

const basic = (key, secret) => `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`

async function send(method, path, { authorization, form, json } = {}) {
  const response = await fetch(core + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(authorization && { authorization }),
      ...(json && { 'content-type': 'application/json' }),
    },
    body: form ? new URLSearchParams(form) : json && JSON.stringify(json),
  })
  return { status: response.status, body: await response.text() }
}

async function rejected(what, method, path, sent) {
  const { status, body } = await send(method, path, sent)
  const shown = body.startsWith('<') ? (/<h1>(.*?)<\/h1>/s.exec(body)?.[1] ?? 'a page') : body
  console.log(`${status}  ${what}\n     ${shown}`)
}

const bearerReply = await send('POST', '/oauth2/token', {
  authorization: basic(KEY.key, KEY.secret),
  form: CLIENT_CREDENTIALS,
})
const bearer = JSON.parse(bearerReply.body).access_token
const list = ['GET', '/2/webhooks']

console.log('\nWho are you?')
await rejected('no credentials', ...list)
await rejected('an unknown scheme', ...list, { authorization: 'Digest abc' })
await rejected('a bearer that was never issued', ...list, { authorization: 'Bearer AAAAnobody' })
await rejected('an unknown consumer key', ...list, {
  authorization: signed(...list, { consumer: { key: 'nobody', secret: 'x' } }),
})
await rejected('a wrong signature', ...list, {
  authorization: signed(...list, { token: { key: TOKEN.key, secret: 'x' } }),
})
await rejected('an old timestamp', ...list, {
  authorization: signed(...list, { change: (parts) => ({ ...parts, oauth_timestamp: 1 }) }),
})
await rejected('a nonce that is not ASCII', ...list, {
  authorization: signed(...list, { change: (parts) => ({ ...parts, oauth_nonce: 'ñ' }) }),
})
const once = signed(...list)
await send(...list, { authorization: once })
await rejected('the same signed request again', ...list, { authorization: once })

console.log('\nSigning in')
const legs = (data) => ({
  authorization: signed('POST', '/oauth/request_token', { token: null, data }),
  form: data,
})
await rejected('no callback', 'POST', '/oauth/request_token', legs({}))
await rejected(
  'a callback that is not registered',
  'POST',
  '/oauth/request_token',
  legs({ oauth_callback: 'https://elsewhere.example/' }),
)
await rejected('a callback that is no URL', 'POST', '/oauth/request_token', legs({ oauth_callback: 'here' }))
await rejected(
  'an access type that does not exist',
  'POST',
  '/oauth/request_token',
  legs({ oauth_callback: 'oob', svc_auth_access_type: 'all' }),
)
await rejected('a sign-in page without a request token', 'GET', '/oauth/authorize')
await rejected('a sign-in page of a used request token', 'GET', '/oauth/authorize?oauth_token=used')
const { body } = await send('POST', '/oauth/request_token', legs({ oauth_callback: 'oob' }))
const pending = new URLSearchParams(body)
const pendingToken = { key: pending.get('oauth_token'), secret: pending.get('oauth_token_secret') }
const exchange = (data) => ({
  authorization: signed('POST', '/oauth/access_token', { token: pendingToken, data }),
  form: data,
})
await rejected('an exchange without a verifier', 'POST', '/oauth/access_token', exchange({}))
await rejected(
  'an exchange before the user agreed',
  'POST',
  '/oauth/access_token',
  exchange({ oauth_verifier: '1234567' }),
)

console.log('\nBearers')
await rejected('a wrong secret', 'POST', '/oauth2/token', {
  authorization: basic(KEY.key, 'x'),
  form: CLIENT_CREDENTIALS,
})
await rejected('another grant', 'POST', '/oauth2/token', {
  authorization: basic(KEY.key, KEY.secret),
  form: { grant_type: 'password' },
})
// Those of others: the app's own bearer stays as it is, and nothing else is used up.
await rejected('invalidating a bearer that was never issued', 'POST', '/oauth2/invalidate_token', {
  authorization: basic(KEY.key, KEY.secret),
  form: { access_token: 'AAAAnobody' },
})
await rejected('a bearer where a user is needed', 'POST', '/1.1/oauth/invalidate_token', {
  authorization: `Bearer ${bearer}`,
})

console.log('\nWebhooks')
const asApp = { authorization: `Bearer ${bearer}` }
await rejected('an id that is no number', 'PUT', '/2/webhooks/abc', asApp)
await rejected('a webhook that does not exist', 'PUT', '/2/webhooks/1', asApp)
await rejected('a URL that may not be called', 'POST', '/2/webhooks', {
  ...asApp,
  json: { url: 'https://10.0.0.1/' },
})
await rejected('a webhook that does not answer the check', 'POST', '/2/webhooks', {
  ...asApp,
  json: { url: 'http://127.0.0.1:1/' },
})
await rejected('a parameter that does not exist', 'GET', '/2/webhooks?colour=red', asApp)
await rejected('a member that does not exist, and one that is missing', 'POST', '/2/webhooks', {
  ...asApp,
  json: { link: 'x' },
})
await rejected('another method', 'PATCH', '/2/webhooks', asApp)
await rejected('another path', 'GET', '/2/nothing', asApp)
