// Signs a user in through the consent page with the unmodified npm package "oauth", and calls the
// API for them.
//
//   npm start -- --ready-file ready.json
//   NODE_EXTRA_CA_CERTS=plaza-data/tls/ca.pem node examples/sign-in.mjs ready.json
//
// NODE_EXTRA_CA_CERTS makes Node trust the local certificate authority.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import oauth from 'oauth'

// One of the callbacks of the demo app; another app has registered others.
const CALLBACK_PORT = Number(process.env.CALLBACK_PORT ?? 3000)
const CALLBACK = `http://127.0.0.1:${CALLBACK_PORT}/callback`

const { core_url: core, app, user } = JSON.parse(readFileSync(process.argv[2] ?? 'ready.json', 'utf8'))
const client = new oauth.OAuth(
  `${core}/oauth/request_token`,
  `${core}/oauth/access_token`,
  app.consumer_key,
  app.consumer_secret,
  '1.0',
  CALLBACK,
  'HMAC-SHA1',
)

// The first leg: a request token.
client.getOAuthRequestToken((error, token, tokenSecret) => {
  if (error) throw new Error(`no request token: ${JSON.stringify(error)}`)
  const server = createServer((request, response) => comeBack(request, response, tokenSecret, server))
  server.on('error', ({ code, message }) => {
    const inUse = `Port ${CALLBACK_PORT} of 127.0.0.1 is in use. Stop the program that uses it.`
    console.error(code === 'EADDRINUSE' ? inUse : message)
    process.exitCode = 1
  })
  server.listen(CALLBACK_PORT, '127.0.0.1', () => {
    console.log(
      `Open this page, sign in as "${user.screen_name}" with the password "${user.password}", and allow access:`,
    )
    console.log(`  ${core}/oauth/authorize?oauth_token=${token}`)
  })
})

/** The second leg ends here: the browser comes back with a verifier, or without. */
function comeBack(request, response, tokenSecret, server) {
  const query = new URL(request.url, CALLBACK).searchParams
  const [token, verifier] = [query.get('oauth_token'), query.get('oauth_verifier')]
  response.end(verifier ? 'Thank you. Back to the terminal.' : 'Nothing was allowed.')
  if (!verifier && !query.has('denied')) return
  server.close()
  server.closeIdleConnections()
  if (!verifier) return console.log('Access was denied.')

  // The third leg: the verifier for an access token.
  client.getOAuthAccessToken(token, tokenSecret, verifier, (error, accessToken, accessSecret, who) => {
    if (error) throw new Error(`no access token: ${JSON.stringify(error)}`)
    console.log(`Signed in: @${who.screen_name} (${who.user_id})`)
    client.get(`${core}/2/webhooks`, accessToken, accessSecret, (failed, body) => {
      console.log('GET /2/webhooks:', failed ? JSON.stringify(failed) : body)
    })
  })
}
