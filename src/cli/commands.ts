import { ROLES } from '../ads/scope.ts'
import { DELIVERY_STATES } from '../deliveries/states.ts'
import { HELPFUL_TAGS, HELPFULNESS, NOT_HELPFUL_TAGS, VIEWPOINTS } from '../notes/ratings.ts'
import type { Command, Flag } from './command.ts'

const JSON_FLAG: Flag = { flag: 'json', describe: 'Print machine-readable JSON.' }
/** How a command finds the store of a Plaza. */
const STORE = [
  'data',
  'database-url',
  'database-url-file',
  'database-schema',
  'master-key',
  'master-key-file',
  'log-level',
]
/** How a command finds a running Plaza and its keys. */
const RUNNING = [...STORE, 'ready-file', 'vocabulary']

const KEY_FLAGS: readonly Flag[] = [
  { flag: 'app', takes: 'ID', describe: 'App whose keys to use; the first app of the store by default.' },
  { flag: 'consumer-key', takes: 'KEY', describe: 'Use this key instead of one from the store.' },
  { flag: 'consumer-secret', takes: 'SECRET', describe: 'The secret of --consumer-key.' },
]

const KIND_FLAG: Flag = { flag: 'kind', takes: 'KIND', describe: 'All dead letters of this kind.' }

/** What the server does later, and what it could not do. */
const taskCommands: readonly Command[] = [
  {
    name: 'tasks count',
    positionals: [0, 0],
    summary: 'Count tasks by kind and state: waiting, running or dead.',
    flags: [{ ...JSON_FLAG, describe: 'Print one JSON object a line.' }],
    settings: STORE,
    load: async () => ({ run: (await import('./tasks.ts')).count }),
  },
  {
    name: 'tasks list',
    positionals: [0, 0],
    summary: 'List dead letters: tasks that failed for good, with their reasons.',
    flags: [KIND_FLAG, { ...JSON_FLAG, describe: 'Print one JSON object a line.' }],
    settings: STORE,
    load: async () => ({ run: (await import('./tasks.ts')).list }),
  },
  {
    name: 'tasks retry',
    takes: '[ID …]',
    positionals: [0, 1000],
    summary: 'Run dead letters again. A running server picks them up within 10 seconds.',
    flags: [KIND_FLAG, JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./tasks.ts')).retry }),
  },
  {
    name: 'tasks discard',
    takes: '[ID …]',
    positionals: [0, 1000],
    summary: 'Delete dead letters.',
    flags: [KIND_FLAG, JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./tasks.ts')).discard }),
  },
]

/** What was sent to webhooks, and what became of it. */
const deliveryCommands: readonly Command[] = [
  {
    name: 'deliveries list',
    positionals: [0, 0],
    summary: 'List deliveries to webhooks, newest first.',
    flags: [
      { flag: 'webhook', takes: 'ID', describe: 'Those to this webhook; to all by default.' },
      {
        flag: 'state',
        takes: 'STATE',
        describe: `${DELIVERY_STATES.join(', ')}; all by default.`,
      },
      { flag: 'limit', takes: 'N', describe: 'At most so many; 50 by default.' },
      { flag: 'before', takes: 'ID', describe: 'Those after this one in the list: the next page.' },
      { ...JSON_FLAG, describe: 'Print one JSON object a line.' },
    ],
    settings: STORE,
    load: async () => ({ run: (await import('./deliveries.ts')).list }),
  },
  {
    name: 'deliveries show',
    takes: 'ID',
    positionals: [1, 1],
    summary:
      'Show a delivery: what was signed and sent, the signature by the secret of today, and each attempt with its answer.',
    flags: [JSON_FLAG],
    settings: [...STORE, 'vocabulary'],
    load: async () => ({ run: (await import('./deliveries.ts')).show }),
  },
  {
    name: 'deliveries resend',
    takes: 'ID …',
    positionals: [1, 1000],
    summary: 'Send deliveries again, with every attempt. A running server begins within 10 seconds.',
    flags: [JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./deliveries.ts')).resend }),
  },
]

const SPACE_FLAGS: readonly Flag[] = [
  { flag: 'creator', takes: 'SCREEN_NAME', describe: 'Who makes it, and its first host.' },
  { flag: 'title', takes: 'TEXT', describe: 'Title, up to 70 characters.' },
  { flag: 'minutes', takes: 'N', describe: 'How long it lasts; until "plaza space end" when absent.' },
  { flag: 'lang', takes: 'CODE', describe: 'Language, such as en.' },
  { flag: 'hosts', takes: 'SCREEN_NAME,…', describe: 'Up to 2 other hosts.' },
  { flag: 'speakers', takes: 'SCREEN_NAME,…', describe: 'Up to 10 speakers.' },
  { flag: 'invited', takes: 'SCREEN_NAME,…', describe: 'Up to 100 users who are invited to speak.' },
  JSON_FLAG,
]

/** Spaces are made outside the API, which shows them. */
const spaceCommands: readonly Command[] = [
  {
    name: 'space schedule',
    positionals: [0, 0],
    summary: 'Announce a space, which starts by itself at its time.',
    flags: [
      {
        flag: 'at',
        takes: 'TIME',
        describe: 'When it starts, such as 2026-03-01T12:00:00Z; within 30 days.',
      },
      ...SPACE_FLAGS,
    ],
    settings: STORE,
    load: async () => ({ run: (await import('./space.ts')).schedule }),
  },
  {
    name: 'space start',
    takes: '[ID]',
    positionals: [0, 1],
    summary: 'Start a scheduled space now, or a new one.',
    flags: SPACE_FLAGS,
    settings: STORE,
    load: async () => ({ run: (await import('./space.ts')).start }),
  },
  {
    name: 'space end',
    takes: 'ID',
    positionals: [1, 1],
    summary: 'End a live space, or remove a scheduled one.',
    flags: [JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./space.ts')).end }),
  },
  {
    name: 'space share',
    takes: 'ID POST_ID',
    positionals: [2, 2],
    summary: 'Share a post in a space.',
    flags: [JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./space.ts')).share }),
  },
  {
    name: 'space list',
    positionals: [0, 0],
    summary: 'List spaces, oldest first.',
    flags: [
      { flag: 'state', takes: 'STATE', describe: 'live, scheduled or ended; all by default.' },
      { ...JSON_FLAG, describe: 'Print one JSON object a line.' },
    ],
    settings: STORE,
    load: async () => ({ run: (await import('./space.ts')).list }),
  },
]

/** The search index is derived from the store. */
const searchCommands: readonly Command[] = [
  {
    name: 'search rebuild',
    positionals: [0, 0],
    summary:
      'Build the search index again. A running server begins within 10 seconds; until it is done, searches get 503.',
    flags: [JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./search.ts')).rebuild }),
  },
]

/** Stories are made of posts in the background. */
const newsCommands: readonly Command[] = [
  {
    name: 'news refresh',
    positionals: [0, 0],
    summary: 'Make news stories of new posts now; the server does it every minute.',
    flags: [JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./news.ts')).refresh }),
  },
]

/** What subscribers of activities receive, without waiting until it happens. */
const activityCommands: readonly Command[] = [
  {
    name: 'emit',
    takes: 'EVENT_TYPE',
    positionals: [1, 1],
    summary: 'Send an activity to everyone who subscribed to it, as if it had happened.',
    details:
      'Takes the way of real activities: subscriptions, consent, streams, webhooks. A running server begins within 10 seconds.',
    flags: [
      { flag: 'user', takes: 'SCREEN_NAME', describe: 'The user of the filter.' },
      { flag: 'text', takes: 'TEXT', describe: 'For news: the text in which keywords are searched.' },
      { flag: 'app', takes: 'ID', describe: 'For events about an app: the app.' },
      { flag: 'direction', takes: 'WHICH', describe: 'inbound or outbound; both by default.' },
      { flag: 'with', takes: 'FILE', describe: 'The payload, as JSON; made up by default.' },
      JSON_FLAG,
    ],
    settings: [...STORE, 'vocabulary'],
    load: async () => import('./emit.ts'),
  },
]

/** Pages for a browser. */
const consoleCommands: readonly Command[] = [
  {
    name: 'console',
    positionals: [0, 0],
    summary: 'Print the address of the console and a key that signs in for 10 minutes.',
    details:
      'The console shows deliveries to webhooks, sends them again, and emits events. The key is made of the master key; the\npages of a Plaza in memory, which keeps its master key to itself, cannot be opened.',
    flags: [JSON_FLAG],
    settings: [...STORE, 'ready-file'],
    load: () => import('./console.ts'),
  },
]

/** Readers of notes have no endpoints: what they do is entered here. */
const noteCommands: readonly Command[] = [
  {
    name: 'note rate',
    takes: 'NOTE',
    positionals: [1, 1],
    summary: 'Record how helpful a user finds a community note; a later rating replaces an earlier one.',
    details: `Tags: ${[...HELPFUL_TAGS, ...NOT_HELPFUL_TAGS].join(', ')}.\nPrints the status that follows from all ratings.`,
    flags: [
      { flag: 'user', takes: 'SCREEN_NAME', describe: 'Who rates.' },
      { flag: 'as', takes: 'WHAT', describe: `${HELPFULNESS.join(', ')}; helpful by default.` },
      {
        flag: 'viewpoint',
        takes: 'WHICH',
        describe: `Where the user stands to others: ${VIEWPOINTS.join(', ')}; neutral by default.`,
      },
      { flag: 'tags', takes: 'TAG,…', describe: 'Reasons.' },
      JSON_FLAG,
    ],
    settings: STORE,
    load: async () => ({ run: (await import('./note.ts')).rate }),
  },
  {
    name: 'note request',
    takes: 'POST',
    positionals: [1, 1],
    summary: 'Record that a user wants a community note on a post.',
    flags: [{ flag: 'user', takes: 'SCREEN_NAME', describe: 'Who requests it.' }, JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./note.ts')).request }),
  },
]

/** Advertising accounts are opened, shared and paid for outside the API. */
const accountCommands: readonly Command[] = [
  {
    name: 'account create',
    positionals: [0, 0],
    summary: 'Open an advertising account.',
    flags: [
      {
        flag: 'owner',
        takes: 'SCREEN_NAME',
        describe: 'Administrator of the account, and the user that it promotes.',
      },
      { flag: 'name', takes: 'TEXT', describe: 'Display name.' },
      { flag: 'sandbox', describe: 'Create it on the sandbox; on production by default.' },
      {
        flag: 'timezone',
        takes: 'NAME',
        describe: 'IANA name of its time zone; America/Los_Angeles by default.',
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
    summary: 'Change the properties of an account that its users cannot change.',
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
    summary: 'Set the roles of a user in an account.',
    details: `Roles: ${ROLES.join(', ')}.`,
    flags: [JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./account.ts')).grant }),
  },
  {
    name: 'account revoke',
    takes: 'ACCOUNT SCREEN_NAME',
    positionals: [2, 2],
    summary: 'Remove all roles of a user in an account.',
    flags: [JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./account.ts')).revoke }),
  },
  {
    name: 'account fund',
    takes: 'ACCOUNT',
    positionals: [1, 1],
    summary: 'Add a funding instrument to an account.',
    flags: [
      { flag: 'currency', takes: 'CODE', describe: 'ISO 4217 code; USD by default.' },
      {
        flag: 'type',
        takes: 'TYPE',
        describe:
          'CREDIT_LINE (the default), AGENCY_CREDIT_LINE, CREDIT_CARD, INSERTION_ORDER or PARTNER_MANAGED.',
      },
      {
        flag: 'credit-limit',
        takes: 'AMOUNT',
        describe: 'Limit of a credit line or card, in units of the currency.',
      },
      {
        flag: 'funded-amount',
        takes: 'AMOUNT',
        describe: 'Amount of an insertion order, in units of the currency.',
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
      { flag: 'os', takes: 'SYSTEM', describe: 'Android or iOS; Android by default.' },
      { flag: 'deep-link', takes: 'TEXT', describe: 'Prefix of deep links into the app.' },
      { flag: 'conversion-tracking', describe: 'Count conversions of the app.' },
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
    flags: [
      { flag: 'detach', describe: 'Run in the background; "plaza stop" stops it.' },
      { flag: 'wait', describe: 'With --detach: return once everything listens, or the start has failed.' },
      {
        flag: 'timeout',
        takes: 'S',
        describe: 'With --wait: abort a start that takes longer; 60 by default.',
      },
      {
        flag: 'log-file',
        takes: 'FILE',
        describe: 'With --detach: append the log here; plaza.log in the data folder by default.',
      },
      { ...JSON_FLAG, describe: 'Print one line of JSON instead of the message.' },
    ],
    settings: 'all',
    details:
      'Flags win over environment variables (--core-port is PLAZA_CORE_PORT), those over the file of --config FILE\n(JSON with the flags as members). SIGTERM or SIGINT (Ctrl-C) stops it; a second one does so at once.',
    load: () => import('./start.ts'),
  },
  {
    name: 'stop',
    positionals: [0, 0],
    summary: 'Stop a running Plaza and wait until it has stopped.',
    flags: [
      { flag: 'timeout', takes: 'S', describe: 'How long to wait; 30 by default.' },
      { flag: 'force', describe: 'After that time, kill it without letting requests finish.' },
      JSON_FLAG,
    ],
    settings: ['data', 'ready-file', 'log-level'],
    details:
      'The process is found by the data folder or the ready file. Exits with 1 when none runs, or when it still runs after the timeout.',
    load: () => import('./stop.ts'),
  },
  {
    name: 'listen',
    positionals: [0, 0],
    summary: 'Receive webhook events beside a running Plaza and print them.',
    flags: [
      { flag: 'port', takes: 'PORT', describe: 'Port to listen on, on loopback; 3001 by default.' },
      {
        flag: 'secret',
        takes: 'SECRET',
        describe: 'Consumer secret that signs; read from the store or the ready file by default.',
      },
      { flag: 'register', describe: 'Register the webhook, and delete it when the command stops.' },
      {
        flag: 'forward-to',
        takes: 'URL',
        describe: 'Pass CRC checks and deliveries on to your own server, and its answers back.',
      },
      ...KEY_FLAGS,
      JSON_FLAG,
    ],
    settings: RUNNING,
    details:
      'Answers CRC checks, verifies the signature of each delivery and rejects a wrong one. With --forward-to your\nserver answers both: it gets the same bytes and headers, so that its own verification holds.',
    load: () => import('./listen.ts'),
  },
  {
    name: 'request',
    takes: 'METHOD URL',
    positionals: [2, 2],
    summary: 'Sign a request, send it and print the response.',
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
      { flag: 'include', short: 'i', describe: 'Print status and headers in front of the body.' },
      {
        flag: 'host',
        takes: 'HOST',
        describe:
          'Host of a URL that is only a path: core, ads or sandbox. By default ads for /12/… and core for others.',
      },
      ...KEY_FLAGS,
      {
        flag: 'user',
        takes: 'NAME',
        describe: 'User whose access token to use; the first user who granted the app by default.',
      },
      { flag: 'token', takes: 'TOKEN', describe: 'Use this token instead of one from the store.' },
      { flag: 'token-secret', takes: 'SECRET', describe: 'The secret of --token.' },
      { flag: 'callback', takes: 'URL', describe: 'oauth_callback, for a request token.' },
      { flag: 'verifier', takes: 'TEXT', describe: 'oauth_verifier, for an access token.' },
      { flag: 'explain', describe: 'Show each step of the signature.' },
      { flag: 'show-secrets', describe: 'Do not mask secrets in --explain.' },
      { flag: 'dry-run', describe: 'Send nothing.' },
      { flag: 'nonce', takes: 'TEXT', describe: 'Sign with this nonce.' },
      { flag: 'timestamp', takes: 'SECONDS', describe: 'Sign with this time.' },
      { flag: 'no-oauth-version', describe: 'Sign without oauth_version.' },
      JSON_FLAG,
    ],
    settings: RUNNING,
    details:
      'A URL that is only a path belongs to the running Plaza. The response body goes to standard output byte for byte, the status to standard error. With --json, a body that is not UTF-8 is printed as body_base64. Exits with 0 for a 2xx response.',
    load: () => import('./request.ts'),
  },
  {
    name: 'app create',
    positionals: [0, 0],
    summary: 'Register an app and print its keys and secrets, once.',
    flags: [
      { flag: 'name', takes: 'TEXT', describe: 'Shown on the consent page.' },
      { flag: 'website', takes: 'URL', describe: 'Shown on the consent page.' },
      { flag: 'owner', takes: 'SCREEN_NAME', describe: 'The developer.' },
      {
        flag: 'callback',
        takes: 'URL',
        describe: 'Callback URL that users may be redirected to.',
        many: true,
      },
      {
        flag: 'permission',
        takes: 'WHAT',
        describe: 'read, read-write (the default) or read-write-directmessages.',
      },
      { flag: 'kind', takes: 'KIND', describe: 'web (the default) or desktop, which uses a PIN.' },
      {
        flag: 'client-type',
        takes: 'TYPE',
        describe:
          'OAuth 2.0: confidential (the default) has a secret; public has none; native (the default of desktop apps) may be called back on any port of this machine.',
      },
      {
        flag: 'not-enrolled',
        describe: 'Let the app not use the endpoints under /2/ until it is enrolled.',
      },
      {
        flag: 'no-sign-in',
        describe: 'Ask for consent every time, even when the user granted the app before.',
      },
      {
        flag: 'grant',
        takes: 'SCREEN_NAME',
        describe: 'Also create an access token for this user.',
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
    summary: 'Give an app a new key and new secrets; the old ones become invalid at once.',
    flags: [JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./app.ts')).rotate }),
  },
  {
    name: 'app client-type',
    takes: 'ID TYPE',
    positionals: [2, 2],
    summary:
      'Make an app a confidential, public or native client of OAuth 2.0, with a new secret when it is confidential.',
    flags: [JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./app.ts')).clientType }),
  },
  {
    name: 'app enroll',
    takes: 'ID',
    positionals: [1, 1],
    summary: 'Let an app use the endpoints under /2/.',
    flags: [JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./app.ts')).enroll }),
  },
  {
    name: 'app unenroll',
    takes: 'ID',
    positionals: [1, 1],
    summary: 'Let an app no longer use the endpoints under /2/: it gets the Problem client-forbidden there.',
    flags: [JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./app.ts')).unenroll }),
  },
  {
    name: 'app suspend',
    takes: 'ID',
    positionals: [1, 1],
    summary: 'Suspend an app: its keys and its tokens are rejected with code 416 at once.',
    flags: [JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./app.ts')).suspend }),
  },
  {
    name: 'app restore',
    takes: 'ID',
    positionals: [1, 1],
    summary: 'End the suspension of an app.',
    flags: [JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./app.ts')).restore }),
  },
  {
    name: 'user create',
    positionals: [0, 0],
    summary: 'Create a user.',
    flags: [
      { flag: 'screen-name', takes: 'NAME', describe: '1 to 15 letters, digits or underscores.' },
      { flag: 'name', takes: 'TEXT', describe: 'Display name.' },
      { flag: 'password', takes: 'TEXT', describe: 'Generated and printed once when absent.' },
      JSON_FLAG,
    ],
    settings: STORE,
    load: async () => ({ run: (await import('./user.ts')).create }),
  },
  {
    name: 'user list',
    positionals: [0, 0],
    summary: 'List users who can sign in.',
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
  {
    name: 'user suspend',
    takes: 'ID|SCREEN_NAME',
    positionals: [1, 1],
    summary: 'Suspend a user: access tokens of the user are rejected with code 64 at once.',
    flags: [JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./user.ts')).suspend }),
  },
  {
    name: 'user restore',
    takes: 'ID|SCREEN_NAME',
    positionals: [1, 1],
    summary: 'End the suspension of a user.',
    flags: [JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./user.ts')).restore }),
  },
  {
    name: 'user enroll-note-writer',
    takes: 'ID|SCREEN_NAME',
    positionals: [1, 1],
    summary: 'Let a user write community notes, or change the level of one who does.',
    flags: [{ flag: 'top', describe: 'Make them a top writer, who may read the large feeds.' }, JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./user.ts')).enrollNoteWriter }),
  },
  {
    name: 'user remove-note-writer',
    takes: 'ID|SCREEN_NAME',
    positionals: [1, 1],
    summary: 'Let a user write no more community notes; those that are written stay.',
    flags: [JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./user.ts')).removeNoteWriter }),
  },
  {
    name: 'user messages',
    takes: 'ID|SCREEN_NAME everyone|followed',
    positionals: [2, 2],
    summary: 'Decide who may send a user direct messages: everyone, or users whom they follow.',
    flags: [JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./user.ts')).messages }),
  },
  {
    name: 'user update',
    takes: 'ID|SCREEN_NAME',
    positionals: [1, 1],
    summary: 'Change what only the platform changes of a profile.',
    flags: [
      { flag: 'screen-name', takes: 'NAME', describe: '1 to 15 letters, digits or underscores.' },
      { flag: 'name', takes: 'TEXT', describe: 'Display name.' },
      { flag: 'profile-image-url', takes: 'URL', describe: 'Picture, or none.' },
      { flag: 'profile-banner-url', takes: 'URL', describe: 'Banner, or none.' },
      { flag: 'verified-type', takes: 'TYPE', describe: 'none, blue, government or business.' },
      { flag: 'subscription', takes: 'TYPE', describe: 'None, Basic, Premium or PremiumPlus.' },
      {
        flag: 'affiliation',
        takes: 'ID|SCREEN_NAME',
        describe: 'User of the organisation that the user belongs to, or none.',
      },
      { flag: 'protected', takes: 'on|off', describe: 'Whether only followers see the posts of the user.' },
      JSON_FLAG,
    ],
    settings: STORE,
    load: async () => ({ run: (await import('./user.ts')).update }),
  },
  {
    name: 'user accept-follow',
    takes: 'ID|SCREEN_NAME FOLLOWER',
    positionals: [2, 2],
    summary: 'Accept the request of another user to follow a protected user.',
    flags: [JSON_FLAG],
    settings: STORE,
    load: async () => ({ run: (await import('./user.ts')).acceptFollower }),
  },
  {
    name: 'key rotate',
    positionals: [0, 0],
    summary: 'Encrypt every stored secret with a new master key. No node may be running.',
    details:
      'Runs in one transaction; when it is interrupted, run it again. Access tokens and keys of apps stay valid; bearer tokens,\nbrowser sessions and sign-ins in progress become invalid. Afterwards the former key decrypts nothing in the database.',
    flags: [
      {
        flag: 'new-key-file',
        takes: 'FILE',
        describe:
          'File of the new key; created when absent. Required when the current key comes from --master-key or --master-key-file; otherwise master.key in the data folder is replaced.',
      },
      JSON_FLAG,
    ],
    settings: STORE,
    load: async () => ({ run: (await import('./key.ts')).rotate }),
  },
  ...taskCommands,
  ...deliveryCommands,
  ...spaceCommands,
  ...searchCommands,
  ...newsCommands,
  ...noteCommands,
  ...activityCommands,
  ...consoleCommands,
  ...accountCommands,
  {
    name: 'import products',
    takes: 'FILE',
    positionals: [1, 1],
    summary: 'Import a product feed into a product catalog.',
    details:
      'Tab-separated values with a header line, RSS 2.0 or Atom. Each product is created or updated by the rules of the API;\nrejected ones are reported with their lines, and the exit code is 1.',
    flags: [
      { flag: 'catalog', takes: 'ID', describe: 'Catalog to import into.' },
      { flag: 'user', takes: 'SCREEN_NAME', describe: 'User whose catalog to import into.' },
      { flag: 'sandbox', describe: 'With --user: the catalog of the sandbox; production by default.' },
      { flag: 'name', takes: 'TEXT', describe: 'With --user: create the catalog when there is none.' },
      { flag: 'format', takes: 'FORMAT', describe: 'tsv or xml; detected by default.' },
      { ...JSON_FLAG, describe: 'Print one JSON object a line.' },
    ],
    settings: [...STORE, 'fetch-images'],
    load: async () => ({ run: (await import('./import.ts')).products }),
  },
  {
    name: 'import posts',
    takes: 'FILE|-',
    positionals: [1, 1],
    summary: 'Import posts of the past, one JSON object a line.',
    details:
      'A line is a post as the API shows it: text, author_id or username, and created_at or an id; beside them lang,\nreferenced_posts, geo, public_metrics, possibly_sensitive and reply_settings. Posts come after those that they refer to.\nBad lines are reported with their numbers, and the exit code is 1. An import that was interrupted goes on where it was\nwhen it is run again. On the embedded database no server may run; streams do not send imported posts.',
    flags: [
      {
        flag: 'create-authors',
        describe: 'Create users for names that there are none of; nobody can sign in as them.',
      },
      {
        flag: 'again',
        describe: 'Import a file that was imported before once more: posts without an id are added again.',
      },
      { ...JSON_FLAG, describe: 'Print one JSON object a line.' },
    ],
    settings: STORE,
    load: async () => ({ run: (await import('./posts.ts')).importPosts }),
  },
  {
    name: 'generate posts',
    positionals: [0, 0],
    summary: 'Make up posts with authors, in many languages: the same for the same numbers.',
    details:
      'Some authors post much, most little; there are replies, quotes, reposts, hashtags, links, places and times when many\nwrite about one thing. The newest post is from the time when the command first ran. It can be interrupted as an import can.',
    flags: [
      { flag: 'count', takes: 'N', describe: 'How many posts; 1000000 by default.' },
      { flag: 'seed', takes: 'N', describe: 'Other posts for another number; 1 by default.' },
      {
        flag: 'authors',
        takes: 'N',
        describe: 'How many authors; one for 20 posts, at most 20000, by default.',
      },
      { flag: 'days', takes: 'N', describe: 'How many days the posts span; 30 by default.' },
      JSON_FLAG,
    ],
    settings: STORE,
    load: async () => ({ run: (await import('./posts.ts')).generatePosts }),
  },
  {
    name: 'seed check',
    takes: 'FILE',
    positionals: [1, 1],
    summary: 'Check a seed file without starting.',
    details: 'Reports every wrong value with its line and column. docs/seed.schema.json describes the file.',
    flags: [JSON_FLAG],
    settings: ['log-level'],
    load: async () => ({ run: (await import('./seed.ts')).check }),
  },
  {
    name: 'query explain',
    takes: "'QUERY'",
    positionals: [1, 1],
    summary: 'Show how a query of search, counts or a rule is read, or what is wrong with it.',
    details:
      'Shows what each clause matches, how much of the limits the query takes, and the terms by which a rule is found.\nWrong ones are shown with the place, and the exit code is 1. A query that begins with - stands behind --.',
    flags: [
      {
        flag: 'for',
        takes: 'USE',
        describe: 'search/recent, search/all, counts/recent, counts/all or stream (the default).',
      },
      {
        flag: 'plan',
        takes: 'PLAN',
        describe: 'self-serve (the default) or enterprise: limits and operators.',
      },
      JSON_FLAG,
    ],
    settings: ['vocabulary', 'log-level'],
    load: () => import('./query.ts').then(({ explain }) => ({ run: explain })),
  },
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
    name: 'completion',
    takes: 'bash|zsh|fish',
    positionals: [1, 1],
    summary: 'Print a shell completion script.',
    flags: [],
    settings: ['log-level'],
    details:
      'bash and zsh load it with  source <(plaza completion bash)  and fish with  plaza completion fish | source',
    load: () => import('./completion.ts'),
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
