import { ROLES } from '../ads/scope.ts'
import type { Command, Flag } from './command.ts'

const JSON_FLAG: Flag = { flag: 'json', describe: 'Print JSON for programs.' }
/** How a command finds the store of a Plaza. */
const STORE = ['data', 'database-url', 'database-schema', 'master-key', 'log-level']
/** How a command finds a running Plaza and its keys. */
const RUNNING = [...STORE, 'ready-file', 'vocabulary']

const KEY_FLAGS: readonly Flag[] = [
  { flag: 'app', takes: 'ID', describe: 'Whose keys to use; the first app of the store when absent.' },
  { flag: 'consumer-key', takes: 'KEY', describe: 'Use this key instead of one from the store.' },
  { flag: 'consumer-secret', takes: 'SECRET', describe: 'The secret of --consumer-key.' },
]

/** Advertising accounts are opened, shared and paid for outside the API. */
const accountCommands: readonly Command[] = [
  {
    name: 'account create',
    positionals: [0, 0],
    summary: 'Open an advertising account.',
    flags: [
      { flag: 'owner', takes: 'SCREEN_NAME', describe: 'Its administrator, and whom it promotes.' },
      { flag: 'name', takes: 'TEXT', describe: 'Shown to people.' },
      { flag: 'sandbox', describe: 'On the sandbox; otherwise on production.' },
      {
        flag: 'timezone',
        takes: 'NAME',
        describe: 'IANA name of its time zone; America/Los_Angeles when absent.',
      },
      JSON_FLAG,
    ],
    settings: STORE,
    load: async () => ({ run: (await import('./account.ts')).create }),
  },
  {
    name: 'account list',
    positionals: [0, 0],
    summary: 'List advertising accounts and who may use them.',
    flags: [{ ...JSON_FLAG, describe: 'Print one JSON object a line.' }],
    settings: STORE,
    load: async () => ({ run: (await import('./account.ts')).list }),
  },
  {
    name: 'account update',
    takes: 'ACCOUNT',
    positionals: [1, 1],
    summary: 'Change what an account cannot change about itself.',
    flags: [
      { flag: 'approval-status', takes: 'STATUS', describe: 'ACCEPTED, REJECTED or UNDER_REVIEW.' },
      { flag: 'business-name', takes: 'TEXT', describe: 'The business that it belongs to.' },
      { flag: 'business-id', takes: 'TEXT', describe: 'Accounts of one business may share audiences.' },
      JSON_FLAG,
    ],
    settings: STORE,
    load: async () => ({ run: (await import('./account.ts')).update }),
  },
  {
    name: 'account grant',
    takes: 'ACCOUNT SCREEN_NAME ROLE,…',
    positionals: [3, 3],
    summary: 'Let a user work with an account, in these roles and no others.',
    details: `Roles: ${ROLES.join(', ')}.`,
    flags: [JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./account.ts')).grant }),
  },
  {
    name: 'account revoke',
    takes: 'ACCOUNT SCREEN_NAME',
    positionals: [2, 2],
    summary: 'End what a user may do with an account.',
    flags: [JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./account.ts')).revoke }),
  },
  {
    name: 'account fund',
    takes: 'ACCOUNT',
    positionals: [1, 1],
    summary: 'Give an account something to pay with.',
    flags: [
      { flag: 'currency', takes: 'CODE', describe: 'ISO 4217 code; USD when absent.' },
      {
        flag: 'type',
        takes: 'TYPE',
        describe:
          'CREDIT_LINE (the default), AGENCY_CREDIT_LINE, CREDIT_CARD, INSERTION_ORDER or PARTNER_MANAGED.',
      },
      {
        flag: 'credit-limit',
        takes: 'AMOUNT',
        describe: 'Of a credit line or card, in units of the currency.',
      },
      {
        flag: 'funded-amount',
        takes: 'AMOUNT',
        describe: 'Of an insertion order, in units of the currency.',
      },
      JSON_FLAG,
    ],
    settings: STORE,
    load: async () => ({ run: (await import('./account.ts')).fund }),
  },
  {
    name: 'account feature add',
    takes: 'ACCOUNT KEY,…',
    positionals: [2, 2],
    summary: 'Grant features to an account.',
    flags: [JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./account.ts')).addFeatures }),
  },
  {
    name: 'account feature remove',
    takes: 'ACCOUNT KEY,…',
    positionals: [2, 2],
    summary: 'Revoke features of an account.',
    flags: [JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./account.ts')).removeFeatures }),
  },
  {
    name: 'account app add',
    takes: 'ACCOUNT IDENTIFIER',
    positionals: [2, 2],
    summary: 'Register a mobile app that an account may promote.',
    flags: [
      { flag: 'os', takes: 'SYSTEM', describe: 'Android or iOS; Android when absent.' },
      { flag: 'deep-link', takes: 'TEXT', describe: 'How links into the app begin.' },
      { flag: 'conversion-tracking', describe: 'Conversions of the app are counted.' },
      JSON_FLAG,
    ],
    settings: STORE,
    load: async () => ({ run: (await import('./account.ts')).addApp }),
  },
]

/** Every command. */
export const commands: readonly Command[] = [
  {
    name: 'start',
    positionals: [0, 0],
    summary: 'Start the server. The default.',
    flags: [{ ...JSON_FLAG, describe: 'Print one line of JSON instead of the message.' }],
    settings: 'all',
    details:
      'Flags win over environment variables (--core-port is PLAZA_CORE_PORT), those over the file of --config FILE\n(JSON with the flags as members). SIGTERM or SIGINT (Ctrl-C) stops it; a second one does so at once.',
    load: () => import('./start.ts'),
  },
  {
    name: 'listen',
    positionals: [0, 0],
    summary: 'Receive webhook events beside a running Plaza and print them.',
    flags: [
      { flag: 'port', takes: 'PORT', describe: 'Where to listen, on loopback; 3001 when absent.' },
      {
        flag: 'secret',
        takes: 'SECRET',
        describe: 'The consumer secret that signs; otherwise it comes from the store or the ready file.',
      },
      { flag: 'register', describe: 'Register the webhook, and delete it at the end.' },
      ...KEY_FLAGS,
      JSON_FLAG,
    ],
    settings: RUNNING,
    details: 'Answers CRC checks, verifies the signature of each delivery and refuses a wrong one.',
    load: () => import('./listen.ts'),
  },
  {
    name: 'request',
    takes: 'METHOD URL',
    positionals: [2, 2],
    summary: 'Sign a request, send it and print the answer.',
    flags: [
      {
        flag: 'as',
        takes: 'WHO',
        describe:
          'user (OAuth 1.0a, the default), app (bearer), client (OAuth 1.0a without a token), basic or none.',
      },
      {
        flag: 'body',
        short: 'd',
        takes: 'TEXT',
        describe: 'A body: JSON unless a header says otherwise; @FILE reads it from a file.',
      },
      { flag: 'form', takes: 'NAME=VALUE', describe: 'A field of a form body.', many: true },
      { flag: 'header', short: 'H', takes: "'NAME: VALUE'", describe: 'One more header.', many: true },
      { flag: 'include', short: 'i', describe: 'Print status and headers too.' },
      {
        flag: 'host',
        takes: 'HOST',
        describe: 'What a URL without origin belongs to: core, ads or sandbox.',
      },
      ...KEY_FLAGS,
      {
        flag: 'user',
        takes: 'NAME',
        describe: 'Whose access token to use; the first that granted the app when absent.',
      },
      { flag: 'token', takes: 'TOKEN', describe: 'Use this token instead of one from the store.' },
      { flag: 'token-secret', takes: 'SECRET', describe: 'The secret of --token.' },
      { flag: 'callback', takes: 'URL', describe: 'oauth_callback, for a request token.' },
      { flag: 'verifier', takes: 'TEXT', describe: 'oauth_verifier, for an access token.' },
      { flag: 'explain', describe: 'Show how the signature comes about.' },
      { flag: 'show-secrets', describe: 'Do not mask secrets in --explain.' },
      { flag: 'dry-run', describe: 'Send nothing.' },
      { flag: 'nonce', takes: 'TEXT', describe: 'Sign with this nonce.' },
      { flag: 'timestamp', takes: 'SECONDS', describe: 'Sign with this time.' },
      JSON_FLAG,
    ],
    settings: RUNNING,
    details: 'A URL that is only a path belongs to the running Plaza. Exits with 0 for a 2xx answer.',
    load: () => import('./request.ts'),
  },
  {
    name: 'app create',
    positionals: [0, 0],
    summary: 'Register an app and print its key and secret, once.',
    flags: [
      { flag: 'name', takes: 'TEXT', describe: 'Shown on the consent page.' },
      { flag: 'website', takes: 'URL', describe: 'Shown on the consent page.' },
      { flag: 'owner', takes: 'SCREEN_NAME', describe: 'The developer.' },
      { flag: 'callback', takes: 'URL', describe: 'Where users may be sent back to.', many: true },
      {
        flag: 'permission',
        takes: 'WHAT',
        describe: 'read, read-write (the default) or read-write-directmessages.',
      },
      { flag: 'kind', takes: 'KIND', describe: 'web (the default) or desktop, which uses a pin.' },
      { flag: 'no-sign-in', describe: 'Ask users every time, even when they granted the app before.' },
      {
        flag: 'grant',
        takes: 'SCREEN_NAME',
        describe: 'Also make an access token for this user.',
        many: true,
      },
      JSON_FLAG,
    ],
    settings: STORE,
    load: async () => ({ run: (await import('./app.ts')).create }),
  },
  {
    name: 'app list',
    positionals: [0, 0],
    summary: 'List apps, without their secrets.',
    flags: [{ ...JSON_FLAG, describe: 'Print one JSON object a line.' }],
    settings: STORE,
    load: async () => ({ run: (await import('./app.ts')).list }),
  },
  {
    name: 'app rotate',
    takes: 'ID',
    positionals: [1, 1],
    summary: 'Give an app a new key and secret; the old ones and its bearer end at once.',
    flags: [JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./app.ts')).rotate }),
  },
  {
    name: 'user create',
    positionals: [0, 0],
    summary: 'Make a user.',
    flags: [
      { flag: 'screen-name', takes: 'NAME', describe: '1 to 15 letters, digits or underscores.' },
      { flag: 'name', takes: 'TEXT', describe: 'Shown to people.' },
      { flag: 'password', takes: 'TEXT', describe: 'Made and printed, once, when absent.' },
      JSON_FLAG,
    ],
    settings: STORE,
    load: async () => ({ run: (await import('./user.ts')).create }),
  },
  {
    name: 'user list',
    positionals: [0, 0],
    summary: 'List users.',
    flags: [{ ...JSON_FLAG, describe: 'Print one JSON object a line.' }],
    settings: STORE,
    load: async () => ({ run: (await import('./user.ts')).list }),
  },
  {
    name: 'user rotate',
    takes: 'ID|SCREEN_NAME',
    positionals: [1, 1],
    summary: 'Give a user a new password and print it, once.',
    flags: [JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./user.ts')).rotate }),
  },
  ...accountCommands,
  {
    name: 'openapi',
    takes: '[core|ads]',
    positionals: [0, 1],
    summary: 'Print the OpenAPI document of the core API or the advertising API.',
    flags: [],
    settings: ['vocabulary', 'core-url', 'ads-url', 'ads-sandbox-url', 'problem-base', 'log-level'],
    load: () => import('./openapi.ts'),
  },
  {
    name: 'version',
    positionals: [0, 0],
    summary: 'Print the version.',
    flags: [JSON_FLAG],
    settings: ['log-level'],
    load: () => import('./version.ts'),
  },
]
