import { ROLES } from '../../api/ads/scope.ts'
import { DELIVERY_STATES } from '../../delivery/webhooks/states.ts'
import { HELPFUL_TAGS, HELPFULNESS, NOT_HELPFUL_TAGS, VIEWPOINTS } from '../../domain/notes/ratings.ts'
import type { Command, Flag } from './command.ts'

const JSON_FLAG: Flag = { flag: 'json', describe: 'Print machine-readable JSON.' }
const KEY_FLAGS: readonly Flag[] = [
  { flag: 'app', takes: 'ID', describe: 'App whose keys to use; the first app by default.' },
  { flag: 'consumer-key', takes: 'KEY', describe: 'Use this key instead of one from the database.' },
  { flag: 'consumer-secret', takes: 'SECRET', describe: 'The secret of --consumer-key.' },
]

const KIND_FLAG: Flag = { flag: 'kind', takes: 'KIND', describe: 'All dead letters of this kind.' }

/** Background tasks and dead letters. */
const taskCommands: readonly Command[] = [
  {
    name: 'tasks count',
    positionals: [0, 0],
    summary: 'Count background tasks by kind and state: waiting, running or dead.',
    flags: [{ ...JSON_FLAG, describe: 'Print one JSON object per line.' }],
    load: async () => ({ run: (await import('./tasks.ts')).count }),
  },
  {
    name: 'tasks list',
    positionals: [0, 0],
    summary: 'List dead letters: tasks with no attempts left, and why they failed.',
    flags: [KIND_FLAG, { ...JSON_FLAG, describe: 'Print one JSON object per line.' }],
    load: async () => ({ run: (await import('./tasks.ts')).list }),
  },
  {
    name: 'tasks retry',
    takes: '[ID …]',
    positionals: [0, 1000],
    summary: 'Run dead letters again. A running server picks them up within a second.',
    flags: [KIND_FLAG, JSON_FLAG],
    load: async () => ({ run: (await import('./tasks.ts')).retry }),
  },
  {
    name: 'tasks discard',
    takes: '[ID …]',
    positionals: [0, 1000],
    summary: 'Delete dead letters.',
    flags: [KIND_FLAG, JSON_FLAG],
    load: async () => ({ run: (await import('./tasks.ts')).discard }),
  },
]

/** Deliveries to webhooks. */
const deliveryCommands: readonly Command[] = [
  {
    name: 'deliveries list',
    positionals: [0, 0],
    summary: 'List deliveries to webhooks, newest first.',
    flags: [
      { flag: 'webhook', takes: 'ID', describe: 'Only deliveries to this webhook.' },
      {
        flag: 'state',
        takes: 'STATE',
        describe: `${DELIVERY_STATES.join(', ')}; all by default.`,
      },
      { flag: 'limit', takes: 'N', describe: 'Maximum number of deliveries; 50 by default.' },
      { flag: 'before', takes: 'ID', describe: 'Next page: only deliveries older than this one.' },
      { ...JSON_FLAG, describe: 'Print one JSON object per line.' },
    ],
    load: async () => ({ run: (await import('./deliveries.ts')).list }),
  },
  {
    name: 'deliveries show',
    takes: 'ID',
    positionals: [1, 1],
    summary:
      'Show a delivery: what was signed and sent, the signature with the current secret, and each attempt with its response.',
    flags: [JSON_FLAG],
    load: async () => ({ run: (await import('./deliveries.ts')).show }),
  },
  {
    name: 'deliveries resend',
    takes: 'ID …',
    positionals: [1, 1000],
    summary: 'Send deliveries again, with all retries. A running server starts within a second.',
    flags: [JSON_FLAG],
    load: async () => ({ run: (await import('./deliveries.ts')).resend }),
  },
]

const SPACE_FLAGS: readonly Flag[] = [
  { flag: 'creator', takes: 'SCREEN_NAME', describe: 'Creator and first host.' },
  { flag: 'title', takes: 'TEXT', describe: 'Title, up to 70 characters.' },
  { flag: 'minutes', takes: 'N', describe: 'Duration; by default until "plaza space end".' },
  { flag: 'lang', takes: 'CODE', describe: 'Language, such as en.' },
  { flag: 'hosts', takes: 'SCREEN_NAME,…', describe: 'Up to 2 other hosts.' },
  { flag: 'speakers', takes: 'SCREEN_NAME,…', describe: 'Up to 10 speakers.' },
  { flag: 'invited', takes: 'SCREEN_NAME,…', describe: 'Up to 100 users who are invited to speak.' },
  JSON_FLAG,
]

/** The API shows spaces but does not create them. */
const spaceCommands: readonly Command[] = [
  {
    name: 'space schedule',
    positionals: [0, 0],
    summary: 'Schedule a space. It starts automatically.',
    flags: [
      {
        flag: 'at',
        isRequired: true,
        takes: 'TIME',
        describe: 'When it starts, such as 2026-03-01T12:00:00Z; within 30 days.',
      },
      ...SPACE_FLAGS.map((one) => ({ ...one, isRequired: ['creator', 'title'].includes(one.flag) })),
    ],
    load: async () => ({ run: (await import('./space.ts')).schedule }),
  },
  {
    name: 'space start',
    takes: '[ID]',
    positionals: [0, 1],
    summary: 'Start a scheduled space now, or a new one.',
    flags: SPACE_FLAGS,
    load: async () => ({ run: (await import('./space.ts')).start }),
  },
  {
    name: 'space end',
    takes: 'ID',
    positionals: [1, 1],
    summary: 'End a live space, or remove a scheduled one.',
    flags: [JSON_FLAG],
    load: async () => ({ run: (await import('./space.ts')).end }),
  },
  {
    name: 'space share',
    takes: 'ID POST_ID',
    positionals: [2, 2],
    summary: 'Share a post in a space.',
    flags: [JSON_FLAG],
    load: async () => ({ run: (await import('./space.ts')).share }),
  },
  {
    name: 'space list',
    positionals: [0, 0],
    summary: 'List spaces, oldest first.',
    flags: [
      { flag: 'state', takes: 'STATE', describe: 'live, scheduled or ended; all by default.' },
      { ...JSON_FLAG, describe: 'Print one JSON object per line.' },
    ],
    load: async () => ({ run: (await import('./space.ts')).list }),
  },
]

/** Counters and indexes follow from other rows. */
const checkCommands: readonly Command[] = [
  {
    name: 'check',
    positionals: [0, 0],
    summary: 'Compare every counter and every index in the database with the rows that they follow from.',
    details:
      'Prints what differs, and exits with 1 if something does. A server may be running. The search index and the keyword insights are not compared: "plaza search rebuild" rebuilds them.',
    flags: [
      { flag: 'repair', describe: 'Correct what differs.' },
      {
        ...JSON_FLAG,
        describe: 'Print one JSON object per line: the differences, and a summary of each comparison.',
      },
    ],
    load: async () => ({ run: (await import('./check.ts')).check }),
  },
]

/** The search index is derived from the store. */
const searchCommands: readonly Command[] = [
  {
    name: 'search rebuild',
    positionals: [0, 0],
    summary:
      'Rebuild the search index. A running server starts within a second; until it is done, searches get 503.',
    flags: [JSON_FLAG],
    load: async () => ({ run: (await import('./search.ts')).rebuild }),
  },
]

/** The server builds stories from posts in the background. */
const newsCommands: readonly Command[] = [
  {
    name: 'news refresh',
    positionals: [0, 0],
    summary: 'Build news stories from new posts now. The server does this every minute.',
    flags: [JSON_FLAG],
    load: async () => ({ run: (await import('./news.ts')).refresh }),
  },
]

/** Emits activities, so that subscribers can be tested without waiting for real ones. */
const activityCommands: readonly Command[] = [
  {
    name: 'emit',
    takes: 'EVENT_TYPE',
    positionals: [1, 1],
    summary: 'Send an activity to everyone who subscribed to it, as if it had happened.',
    details:
      'The activity is processed like a real one: subscriptions, consent, streams, webhooks, and account activity. It is about\nusers, posts and messages that exist; missing ones are made, without events of their own. Nothing else changes: no profile\nand no relation, and nothing is deleted. A running server sends it within a second.',
    flags: [
      {
        flag: 'user',
        takes: 'SCREEN_NAME',
        describe: 'User that the subscription filters by; for oauth.revoke, who revokes the app.',
      },
      { flag: 'text', takes: 'TEXT', describe: 'For news: text that keywords are matched against.' },
      { flag: 'app', takes: 'ID', describe: 'For events about an app: id of the app.' },
      { flag: 'direction', takes: 'WHICH', describe: 'inbound or outbound; both by default.' },
      {
        flag: 'with',
        takes: 'FILE',
        describe:
          'JSON with members that replace those of the payload, or of a list of account activity such as post_create_events.',
      },
      JSON_FLAG,
    ],
    load: async () => import('./emit.ts'),
  },
]

/** Pages for a browser. */
const consoleCommands: readonly Command[] = [
  {
    name: 'console',
    positionals: [0, 0],
    summary: 'Print the address of the console and a key to sign in with. The key is valid for 10 minutes.',
    details:
      'The console shows webhook deliveries, sends them again, and emits events. The key is derived from the master key. With\n--memory, the master key is not available to this command, so the pages cannot be opened.',
    flags: [JSON_FLAG],
    load: () => import('./console.ts'),
  },
]

/** The API has no endpoints for readers of notes, so these commands enter what readers do. */
const noteCommands: readonly Command[] = [
  {
    name: 'note rate',
    takes: 'NOTE',
    positionals: [1, 1],
    summary: 'Record how helpful a user finds a community note. A later rating replaces an earlier one.',
    details: `Tags: ${[...HELPFUL_TAGS, ...NOT_HELPFUL_TAGS].join(', ')}.\nPrints the status of the note after the rating.`,
    flags: [
      { flag: 'user', isRequired: true, takes: 'SCREEN_NAME', describe: 'User who rates the note.' },
      { flag: 'as', takes: 'WHAT', describe: `${HELPFULNESS.join(', ')}; helpful by default.` },
      {
        flag: 'viewpoint',
        takes: 'WHICH',
        describe: `Viewpoint of the user: ${VIEWPOINTS.join(', ')}; neutral by default.`,
      },
      { flag: 'tags', takes: 'TAG,…', describe: 'Reasons for the rating.' },
      JSON_FLAG,
    ],
    load: async () => ({ run: (await import('./note.ts')).rate }),
  },
  {
    name: 'note request',
    takes: 'POST',
    positionals: [1, 1],
    summary: 'Record that a user wants a community note on a post.',
    flags: [
      { flag: 'user', isRequired: true, takes: 'SCREEN_NAME', describe: 'User who requests the note.' },
      JSON_FLAG,
    ],
    load: async () => ({ run: (await import('./note.ts')).request }),
  },
]

/** Advertising accounts are opened, shared and funded outside the API. */
const accountCommands: readonly Command[] = [
  {
    name: 'account create',
    positionals: [0, 0],
    summary: 'Open an advertising account.',
    flags: [
      {
        flag: 'owner',
        isRequired: true,
        takes: 'SCREEN_NAME',
        describe: 'Administrator of the account, and the user that it promotes.',
      },
      { flag: 'name', isRequired: true, takes: 'TEXT', describe: 'Display name.' },
      { flag: 'sandbox', describe: 'Create the account on the sandbox; production by default.' },
      {
        flag: 'timezone',
        takes: 'NAME',
        describe: 'IANA name of the time zone; America/Los_Angeles by default.',
      },
      JSON_FLAG,
    ],
    load: async () => ({ run: (await import('./account.ts')).create }),
  },
  {
    name: 'account list',
    positionals: [0, 0],
    summary: 'List advertising accounts and who may use them.',
    flags: [{ ...JSON_FLAG, describe: 'Print one JSON object per line.' }],
    load: async () => ({ run: (await import('./account.ts')).list }),
  },
  {
    name: 'account update',
    takes: 'ACCOUNT',
    positionals: [1, 1],
    summary: 'Change the properties of an account that its users cannot change.',
    flags: [
      { flag: 'approval-status', takes: 'STATUS', describe: 'ACCEPTED, REJECTED or UNDER_REVIEW.' },
      { flag: 'business-name', takes: 'TEXT', describe: 'Name of the business that the account belongs to.' },
      {
        flag: 'business-id',
        takes: 'TEXT',
        describe: 'Id of the business. Accounts of one business may share audiences.',
      },
      JSON_FLAG,
    ],
    load: async () => ({ run: (await import('./account.ts')).update }),
  },
  {
    name: 'account grant',
    takes: 'ACCOUNT SCREEN_NAME ROLE,…',
    positionals: [3, 3],
    summary: 'Set the roles of a user in an account.',
    details: `Roles: ${ROLES.join(', ')}.`,
    flags: [JSON_FLAG],
    load: async () => ({ run: (await import('./account.ts')).grant }),
  },
  {
    name: 'account revoke',
    takes: 'ACCOUNT SCREEN_NAME',
    positionals: [2, 2],
    summary: 'Remove all roles of a user in an account.',
    flags: [JSON_FLAG],
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
    load: async () => ({ run: (await import('./account.ts')).fund }),
  },
  {
    name: 'account feature add',
    takes: 'ACCOUNT KEY,…',
    positionals: [2, 2],
    summary: 'Grant features to an account.',
    flags: [JSON_FLAG],
    load: async () => ({ run: (await import('./account.ts')).addFeatures }),
  },
  {
    name: 'account feature remove',
    takes: 'ACCOUNT KEY,…',
    positionals: [2, 2],
    summary: 'Revoke features of an account.',
    flags: [JSON_FLAG],
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
    load: async () => ({ run: (await import('./account.ts')).addApp }),
  },
]

/** Every command. */
export const commands: readonly Command[] = [
  {
    name: 'start',
    positionals: [0, 0],
    summary: 'Start the server. This is the default command.',
    flags: [
      { flag: 'detach', describe: 'Run in the background; "plaza stop" stops it.' },
      {
        flag: 'wait',
        describe:
          'With --detach: return once all listeners are open and earlier changes can be searched, or the start has failed.',
      },
      {
        flag: 'timeout',
        takes: 'S',
        describe:
          'With --wait: abort a start that takes longer; 60 by default. It begins anew while indexes catch up.',
      },
      {
        flag: 'log-file',
        takes: 'FILE',
        describe: 'With --detach: append the log here; plaza.log in the data folder by default.',
      },
      { flag: 'detached', describe: 'Set by --detach for the process that it starts.', isHidden: true },
      { ...JSON_FLAG, describe: 'Print one line of JSON instead of the message.' },
    ],
    details:
      'Flags override environment variables (--core-port is PLAZA_CORE_PORT), which override the file given with --config FILE\n(JSON with the flags as members). SIGTERM, SIGINT (Ctrl-C) or SIGHUP stops the server; a second signal stops it immediately.',
    load: () => import('./start.ts'),
  },
  {
    name: 'stop',
    positionals: [0, 0],
    summary: 'Stop a running Plaza and wait until it has stopped.',
    flags: [
      { flag: 'timeout', takes: 'S', describe: 'How long to wait; 30 by default.' },
      { flag: 'force', describe: 'After the timeout, kill it without letting requests finish.' },
      JSON_FLAG,
    ],
    details:
      'Finds the process by its data folder or its ready file. Exits with 1 if no Plaza is running, or if it is still running after the timeout.',
    load: () => import('./stop.ts'),
  },
  {
    name: 'listen',
    positionals: [0, 0],
    summary: 'Receive webhook events from a running Plaza and print them.',
    flags: [
      { flag: 'port', takes: 'PORT', describe: 'Port to listen on, on loopback; 3001 by default.' },
      {
        flag: 'secret',
        takes: 'SECRET',
        describe: 'Consumer secret for signatures; read from the database or the ready file by default.',
      },
      { flag: 'register', describe: 'Register the webhook, and delete it when the command stops.' },
      {
        flag: 'forward-to',
        takes: 'URL',
        describe: 'Forward CRC checks and deliveries to your own server, and return its responses.',
      },
      ...KEY_FLAGS,
      JSON_FLAG,
    ],
    details:
      'Answers CRC checks, verifies the signature of each delivery and rejects invalid ones. With --forward-to, your\nserver answers both. It receives the same bytes and headers, so that its own verification works.',
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
        describe: 'Request body; JSON unless a header says otherwise. @FILE reads it from a file.',
      },
      { flag: 'form', takes: 'NAME=VALUE', describe: 'A field of a form body.', many: true },
      { flag: 'header', short: 'H', takes: "'NAME: VALUE'", describe: 'Additional header.', many: true },
      { flag: 'include', short: 'i', describe: 'Print status and headers before the body.' },
      {
        flag: 'host',
        takes: 'HOST',
        describe:
          'Host for a URL that is only a path: core, ads or sandbox. By default, ads for /12/… and core for other paths.',
      },
      ...KEY_FLAGS,
      {
        flag: 'user',
        takes: 'NAME',
        describe: 'User whose access token to use; by default the first user who authorized the app.',
      },
      { flag: 'token', takes: 'TOKEN', describe: 'Use this token instead of one from the database.' },
      { flag: 'token-secret', takes: 'SECRET', describe: 'The secret of --token.' },
      { flag: 'callback', takes: 'URL', describe: 'oauth_callback, for a request token.' },
      { flag: 'verifier', takes: 'TEXT', describe: 'oauth_verifier, for an access token.' },
      { flag: 'explain', describe: 'Show each step of the signature.' },
      { flag: 'show-secrets', describe: 'Do not mask secrets in --explain.' },
      { flag: 'dry-run', describe: 'Send nothing.' },
      { flag: 'nonce', takes: 'TEXT', describe: 'Sign with this nonce.' },
      { flag: 'timestamp', takes: 'SECONDS', describe: 'Sign with this timestamp.' },
      { flag: 'no-oauth-version', describe: 'Sign without oauth_version.' },
      JSON_FLAG,
    ],
    details:
      'A URL that is only a path is sent to the running Plaza. Prints the response body to standard output byte for byte, and the status to standard error. In a terminal, a body without a final newline gets one. With --json, a body that is not UTF-8 is printed as body_base64. Exits with 0 for a 2xx response.',
    load: () => import('./request.ts'),
  },
  {
    name: 'app create',
    positionals: [0, 0],
    summary: 'Register an app and print its keys and secrets. They are shown only once.',
    flags: [
      { flag: 'name', isRequired: true, takes: 'TEXT', describe: 'Shown on the consent page.' },
      { flag: 'website', isRequired: true, takes: 'URL', describe: 'Shown on the consent page.' },
      { flag: 'owner', isRequired: true, takes: 'SCREEN_NAME', describe: 'The developer.' },
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
          'OAuth 2.0 client type: confidential (the default) has a secret; public has none; native (the default for desktop apps) may use any loopback port as callback.',
      },
      {
        flag: 'not-enrolled',
        describe: 'Let the app not use the endpoints under /2/ until it is enrolled.',
      },
      {
        flag: 'no-sign-in',
        describe: 'Ask for consent every time, even if the user has authorized the app before.',
      },
      {
        flag: 'grant',
        takes: 'SCREEN_NAME',
        describe: 'Also create an access token for this user.',
        many: true,
      },
      JSON_FLAG,
    ],
    load: async () => ({ run: (await import('./app.ts')).create }),
  },
  {
    name: 'app list',
    positionals: [0, 0],
    summary: 'List apps, without their secrets.',
    flags: [{ ...JSON_FLAG, describe: 'Print one JSON object per line.' }],
    load: async () => ({ run: (await import('./app.ts')).list }),
  },
  {
    name: 'app rotate',
    takes: 'ID',
    positionals: [1, 1],
    summary: 'Give an app a new key and new secrets. The old ones become invalid immediately.',
    flags: [JSON_FLAG],
    load: async () => ({ run: (await import('./app.ts')).rotate }),
  },
  {
    name: 'app client-type',
    takes: 'ID TYPE',
    positionals: [2, 2],
    summary:
      'Change the OAuth 2.0 client type of an app: confidential (with a new secret), public or native.',
    flags: [JSON_FLAG],
    load: async () => ({ run: (await import('./app.ts')).clientType }),
  },
  {
    name: 'app enroll',
    takes: 'ID',
    positionals: [1, 1],
    summary: 'Let an app use the endpoints under /2/.',
    flags: [JSON_FLAG],
    load: async () => ({ run: (await import('./app.ts')).enroll }),
  },
  {
    name: 'app unenroll',
    takes: 'ID',
    positionals: [1, 1],
    summary: 'Let an app no longer use the endpoints under /2/: it gets the Problem client-forbidden there.',
    flags: [JSON_FLAG],
    load: async () => ({ run: (await import('./app.ts')).unenroll }),
  },
  {
    name: 'app suspend',
    takes: 'ID',
    positionals: [1, 1],
    summary: 'Suspend an app. Its keys and tokens are immediately rejected with code 416.',
    flags: [JSON_FLAG],
    load: async () => ({ run: (await import('./app.ts')).suspend }),
  },
  {
    name: 'app restore',
    takes: 'ID',
    positionals: [1, 1],
    summary: 'End the suspension of an app.',
    flags: [JSON_FLAG],
    load: async () => ({ run: (await import('./app.ts')).restore }),
  },
  {
    name: 'user create',
    positionals: [0, 0],
    summary: 'Create a user.',
    flags: [
      {
        flag: 'screen-name',
        isRequired: true,
        takes: 'NAME',
        describe: '1 to 15 letters, digits or underscores.',
      },
      { flag: 'name', isRequired: true, takes: 'TEXT', describe: 'Display name.' },
      { flag: 'password', takes: 'TEXT', describe: 'Password; generated and printed once by default.' },
      JSON_FLAG,
    ],
    load: async () => ({ run: (await import('./user.ts')).create }),
  },
  {
    name: 'user list',
    positionals: [0, 0],
    summary: 'List users who can sign in.',
    flags: [{ ...JSON_FLAG, describe: 'Print one JSON object per line.' }],
    load: async () => ({ run: (await import('./user.ts')).list }),
  },
  {
    name: 'user rotate',
    takes: 'ID|SCREEN_NAME',
    positionals: [1, 1],
    summary: 'Give a user a new password and print it. It is shown only once.',
    flags: [JSON_FLAG],
    load: async () => ({ run: (await import('./user.ts')).rotate }),
  },
  {
    name: 'user suspend',
    takes: 'ID|SCREEN_NAME',
    positionals: [1, 1],
    summary: 'Suspend a user. Their access tokens are immediately rejected with code 64.',
    flags: [JSON_FLAG],
    load: async () => ({ run: (await import('./user.ts')).suspend }),
  },
  {
    name: 'user restore',
    takes: 'ID|SCREEN_NAME',
    positionals: [1, 1],
    summary: 'End the suspension of a user.',
    flags: [JSON_FLAG],
    load: async () => ({ run: (await import('./user.ts')).restore }),
  },
  {
    name: 'user enroll-note-writer',
    takes: 'ID|SCREEN_NAME',
    positionals: [1, 1],
    summary: 'Enroll a user as a writer of community notes, or change the level of a writer.',
    flags: [
      { flag: 'top', describe: 'Make the user a top writer, who may read the large feeds.' },
      JSON_FLAG,
    ],
    load: async () => ({ run: (await import('./user.ts')).enrollNoteWriter }),
  },
  {
    name: 'user remove-note-writer',
    takes: 'ID|SCREEN_NAME',
    positionals: [1, 1],
    summary: 'Remove a user from the writers of community notes. Existing notes stay.',
    flags: [JSON_FLAG],
    load: async () => ({ run: (await import('./user.ts')).removeNoteWriter }),
  },
  {
    name: 'user messages',
    takes: 'ID|SCREEN_NAME everyone|followed',
    positionals: [2, 2],
    summary: 'Set who may send a user direct messages: everyone, or only users they follow.',
    flags: [JSON_FLAG],
    load: async () => ({ run: (await import('./user.ts')).messages }),
  },
  {
    name: 'user update',
    takes: 'ID|SCREEN_NAME',
    positionals: [1, 1],
    summary: 'Change members of a profile that only the platform can change.',
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
        describe: 'User of the organization that the user belongs to, or none.',
      },
      { flag: 'protected', takes: 'on|off', describe: 'Whether only followers see the posts of the user.' },
      JSON_FLAG,
    ],
    load: async () => ({ run: (await import('./user.ts')).update }),
  },
  {
    name: 'user accept-follow',
    takes: 'ID|SCREEN_NAME FOLLOWER',
    positionals: [2, 2],
    summary: 'Accept the request of another user to follow a protected user.',
    flags: [JSON_FLAG],
    load: async () => ({ run: (await import('./user.ts')).acceptFollower }),
  },
  {
    name: 'key rotate',
    positionals: [0, 0],
    summary: 'Encrypt every stored secret with a new master key. No node may be running.',
    details:
      'Runs in one transaction. If it is interrupted, run it again. Access tokens and app keys stay valid; bearer tokens,\nbrowser sessions and sign-ins in progress become invalid. Afterwards, the old key decrypts nothing in the database.',
    flags: [
      {
        flag: 'new-key-file',
        takes: 'FILE',
        describe:
          'File with the new key; created if it does not exist. Required if the current key comes from --master-key or --master-key-file; otherwise master.key in the data folder is replaced.',
      },
      JSON_FLAG,
    ],
    load: async () => ({ run: (await import('./key.ts')).rotate }),
  },
  ...taskCommands,
  ...deliveryCommands,
  ...spaceCommands,
  ...checkCommands,
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
      'Reads tab- or comma-separated values with a header line, RSS 2.0 or Atom, also compressed with gzip.\nCreates or updates each product by the rules of the API.\nIf products are rejected, reports them with their line numbers and exits with 1.',
    flags: [
      { flag: 'catalog', takes: 'ID', describe: 'Catalog to import into.' },
      { flag: 'user', takes: 'SCREEN_NAME', describe: 'User whose catalog to import into.' },
      { flag: 'sandbox', describe: 'With --user: use the catalog of the sandbox; production by default.' },
      {
        flag: 'name',
        takes: 'TEXT',
        describe: 'With --user: create the catalog with this name if there is none.',
      },
      { flag: 'format', takes: 'FORMAT', describe: 'tsv, csv or xml; detected by default.' },
      {
        flag: 'encoding',
        takes: 'NAME',
        describe:
          'Encoding, such as latin1. By default that of the byte order mark or the XML declaration, or UTF-8.',
      },
      { ...JSON_FLAG, describe: 'Print one JSON object per line.' },
    ],
    load: async () => ({ run: (await import('./import.ts')).products }),
  },
  {
    name: 'import posts',
    takes: 'FILE|-',
    positionals: [1, 1],
    summary: 'Import past posts from a JSON file.',
    details:
      'Each line, or each element of an array, is a post as the API returns it: text, author_id or username, and created_at or an\nid; optionally lang, referenced_posts, geo, public_metrics, possibly_sensitive and reply_settings. It may also be a page of the API\nwith its includes, a post that contains its author, or a post in the classic format. A post must follow the posts that it refers to;\nif newer posts come first, import the file again with --again, until no more are added. If lines are invalid, reports them with their line numbers and exits with 1. To resume an interrupted import, run it\nagain. With the embedded database, stop the server first. Streams do not send imported posts.',
    flags: [
      {
        flag: 'create-authors',
        describe: 'Create users for unknown usernames. No one can sign in as these users.',
      },
      {
        flag: 'again',
        describe: 'Import a file again that was already imported. Posts without an id are added again.',
      },
      {
        flag: 'author',
        takes: 'SCREEN_NAME',
        describe: 'Author of posts that name none, as those of an archive.',
      },
      { ...JSON_FLAG, describe: 'Print one JSON object per line.' },
    ],
    load: async () => ({ run: (await import('./posts.ts')).importPosts }),
  },
  {
    name: 'generate posts',
    positionals: [0, 0],
    summary: 'Generate posts and authors in many languages. The same flags generate the same posts.',
    details:
      'A few authors post a lot, most post little. There are replies, quotes, reposts, hashtags, links, places, and bursts of posts\nabout one topic. The newest post has the time of the first run. To resume an interrupted run, run it again.',
    flags: [
      { flag: 'count', takes: 'N', describe: 'Number of posts; 1000000 by default.' },
      { flag: 'seed', takes: 'N', describe: 'Seed of the random generator; 1 by default.' },
      {
        flag: 'authors',
        takes: 'N',
        describe: 'Number of authors; by default one per 20 posts, at most 20000.',
      },
      { flag: 'days', takes: 'N', describe: 'Number of days that the posts span; 30 by default.' },
      JSON_FLAG,
    ],
    load: async () => ({ run: (await import('./posts.ts')).generatePosts }),
  },
  {
    name: 'seed check',
    takes: 'FILE',
    positionals: [1, 1],
    summary: 'Check a seed file without starting the server.',
    details:
      'Reports every invalid value with its line and column. docs/seed.schema.json describes the file.',
    flags: [JSON_FLAG],
    load: async () => ({ run: (await import('./seed.ts')).check }),
  },
  {
    name: 'query explain',
    takes: 'QUERY',
    positionals: [1, 1],
    summary: 'Show how Plaza reads a search query or a stream rule, or what is wrong with it.',
    details:
      'Shows what each clause matches, how much of the limits the query uses, and the terms under which a rule is indexed.\nFor an invalid query, shows the position of the error and exits with 1. Put -- before a query that begins with -.',
    flags: [
      {
        flag: 'for',
        takes: 'USE',
        describe:
          'search/recent, search/all, counts/recent, counts/all, powerstream or stream (the default).',
      },
      {
        flag: 'plan',
        takes: 'PLAN',
        describe: 'self-serve (the default) or enterprise: limits and operators.',
      },
      JSON_FLAG,
    ],
    load: () => import('./query.ts').then(({ explain }) => ({ run: explain })),
  },
  {
    name: 'vocabulary check',
    takes: 'FILE',
    positionals: [1, 1],
    summary:
      'Check a vocabulary, and list inflections and compounds of renamed words that it does not rename.',
    details:
      'Reports a wrong entry with its line and column, and names and paths that collide. A word that is to\nstay as it is needs an entry with its own name, such as "posts": "posts". Exits with 1 if an inflection, such as a plural or a participle, has no entry.',
    flags: [JSON_FLAG],
    load: async () => ({ run: (await import('./vocabulary.ts')).check }),
  },
  {
    name: 'openapi',
    takes: '[core|ads]',
    positionals: [0, 1],
    summary: 'Print the OpenAPI document of the core API or the advertising API.',
    flags: [],
    load: () => import('./openapi.ts'),
  },
  {
    name: 'completion',
    takes: 'bash|zsh|fish',
    positionals: [1, 1],
    summary: 'Print a shell completion script.',
    flags: [],
    details:
      'bash and zsh load it with  source <(plaza completion bash)  and fish with  plaza completion fish | source',
    load: async () => {
      const { printCompletion } = await import('./completion.ts')
      return { run: async (call) => printCompletion(call, commands) }
    },
  },
  {
    name: 'version',
    positionals: [0, 0],
    summary: 'Print the version.',
    flags: [JSON_FLAG],
    load: () => import('./version.ts'),
  },
]
