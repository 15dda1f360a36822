import type { CommandDeclarations, FlagDescriptions } from '../command.ts'
import { RUNNING } from '../settings.ts'

/** The keys that sign a request or a delivery. */
const KEYS: FlagDescriptions = {
  '--app <ID>': 'App whose keys to use; the first app by default.',
  '--consumer-key <KEY>': 'Use this key instead of one from the database.',
  '--consumer-secret <SECRET>': 'The secret of --consumer-key.',
}

/** Requests to a running Plaza, and the webhook events that it sends. */
export const requestCommands: CommandDeclarations = {
  'request <METHOD> <URL>': {
    summary: 'Sign a request, send it and print the response.',
    details:
      'A URL that is only a path is sent to the running Plaza. Prints the response body to standard output byte for byte, and the status to standard error. In a terminal, a body without a final newline gets one. With --json, a body that is not UTF-8 is printed as body_base64. Exits with 0 for a 2xx response.',
    settings: RUNNING,
    flags: {
      '--as <WHO>':
        'user (OAuth 1.0a, the default), app (bearer), client (OAuth 1.0a without a token), basic or none.',
      '-d, --body <TEXT>': 'Request body; JSON unless a header says otherwise. @FILE reads it from a file.',
      '--form <NAME=VALUE...>': 'A field of a form body.',
      '-H, --header <NAME: VALUE...>': 'Additional header.',
      '-i, --include': 'Print status and headers before the body.',
      '--host <HOST>':
        'Host for a URL that is only a path: core, ads or sandbox. By default, ads for /12/… and core for other paths.',
      ...KEYS,
      '--user <NAME>': 'User whose access token to use; by default the first user who authorized the app.',
      '--token <TOKEN>': 'Use this token instead of one from the database.',
      '--token-secret <SECRET>': 'The secret of --token.',
      '--callback <URL>': 'oauth_callback, for a request token.',
      '--verifier <TEXT>': 'oauth_verifier, for an access token.',
      '--explain': 'Show each step of the signature.',
      '--show-secrets': 'Do not mask secrets in --explain.',
      '--dry-run': 'Send nothing.',
      '--nonce <TEXT>': 'Sign with this nonce.',
      '--timestamp <SECONDS>': 'Sign with this timestamp.',
      '--no-oauth-version': 'Sign without oauth_version.',
    },
    run: async (call) => (await import('../request.ts')).run(call),
  },
  listen: {
    summary: 'Receive webhook events from a running Plaza and print them.',
    details:
      'Answers CRC checks, verifies the signature of each delivery and rejects invalid ones. With --forward-to, your server answers both. It receives the same bytes and headers, so that its own verification works.',
    settings: RUNNING,
    flags: {
      '--port <PORT>': 'Port to listen on, on loopback; 3001 by default.',
      '--secret <SECRET>':
        'Consumer secret for signatures; read from the database or the ready file by default.',
      '--register': 'Register the webhook, and delete it when the command stops.',
      '--forward-to <URL>': 'Forward CRC checks and deliveries to your own server, and return its responses.',
      ...KEYS,
    },
    run: async (call) => (await import('../listen.ts')).run(call),
  },
  record: {
    summary: 'Record what a client and a real service say to each other, as HAR.',
    details:
      'Starts a proxy on loopback until Ctrl-C. Clients call it instead of the service, or use it as their HTTPS proxy and trust the certificate authority beside the file: then what they sign stays the same. Secrets are masked in the file.',
    settings: ['log-level'],
    required: {
      '--upstream <URL>': 'Origin of the service, such as https://api.example.com.',
      '--out <FILE>': 'Where to write the HTTP Archive.',
    },
    flags: {
      '--port <PORT>': 'Port of the proxy; any free one by default.',
      '--upstream-ca <FILE>': 'Certificate authority of the service, if it is not publicly trusted.',
    },
    run: async (call) => (await import('../record.ts')).record(call),
  },
  'compare <FILE>': {
    summary: 'Play the requests of a HAR file against a running Plaza and list differences.',
    details:
      'Signs each request with the keys of the running Plaza, as the kind of caller that it was recorded as. Compares the status and, for JSON, which members there are and their types; values are not compared. Exits with 1 if any reply differs.',
    settings: RUNNING,
    json: 'lines',
    flags: { ...KEYS, '--user <NAME>': 'User whose access token to use.' },
    run: async (call) => (await import('../record.ts')).compare(call),
  },
  'emit <EVENT_TYPE>': {
    summary: 'Send an activity to everyone who subscribed to it, as if it had happened.',
    details:
      'The activity is processed like a real one: subscriptions, consent, streams, webhooks, and account activity. It is about users, posts and messages that exist; missing ones are created without events of their own. Nothing else changes: no profile and no relation, and nothing is deleted. A running server sends it at once.',
    settings: RUNNING,
    flags: {
      '--user <SCREEN_NAME>': 'User that the subscription filters by; for oauth.revoke, who revokes the app.',
      '--text <TEXT>': 'For news: text that keywords are matched against.',
      '--app <ID>': 'For events about an app: id of the app.',
      '--direction <WHICH>': 'inbound or outbound; both by default.',
      '--with <FILE>':
        'JSON with members that replace those of the payload, or of a list of account activity such as post_create_events.',
    },
    run: async (call) => (await import('../emit.ts')).run(call),
  },
}
