import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { basic, bearerOf, Client, register, type Signer, signedHeader } from './client.ts'
import { createConsumer } from './consumer.ts'
import { APP, PUBLIC_HOST, startPlaza, temporaryFolder } from './processes.ts'

// Sends a running Plaza invalid requests of all kinds. It must answer or hang up within five
// seconds, never with 5xx, change nothing when it rejects, and be healthy afterwards. A failing
// input is shrunk and printed with its seed. npm run fuzz [-- inputs [seed]]

const ANSWER_MS = 5_000
/** After it, a caller whose request may be incomplete hangs up on its side. */
const PATIENCE_MS = 40
/** Background work that the last writes began is over by then. */
const BACKGROUND_MS = 200
const MAX_REPETITIONS = 3

/** A change of a text at a place that is given as a share of its length. */
interface Mutation {
  at: number
  remove: number
  insert: string
}

type Credential =
  | { kind: 'none' }
  | { kind: 'signed' | 'bearer' | 'basic'; mutations: Mutation[] }
  | { kind: 'text'; text: string }

type Body =
  | { kind: 'none' }
  | { kind: 'text'; type: string | undefined; text: string }
  | { kind: 'length'; type: string | undefined; text: string; length: string }
  | { kind: 'chunked'; type: string | undefined; chunks: string[] }

/** A request by its parts. What must be fresh, like a signature, is made when it is sent. */
interface Input {
  server: 'core' | 'ads' | 'console'
  method: string
  path: string
  query: string | undefined
  credential: Credential
  headers: [string, string][]
  body: Body
  /** Applied to the whole request as it goes over the wire. */
  wire: Mutation[]
}

/** What a run knows of the server. */
interface World {
  ports: Record<Input['server'], number>
  bearer: string
  webhook: string
  hooks: string
}

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'
const HERE = '{hooks}'
const WEBHOOK = '{webhook}'

const nasty = [
  ...['', '%', '%2', '%zz', '%00', '%0d%0a', '%ff', '%C0%AF', '%E2%82%AC', '%25', '+', '&', '=', '==', ';'],
  ...[
    '"',
    '\\',
    "'",
    ',',
    '\t',
    '\r\n',
    '\n',
    '\0',
    '\x7f',
    '\u0085',
    'é',
    '€',
    '𝒳',
    '\ufeff',
    '..',
    '//',
    '*',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'null',
    'NaN',
    '-0',
    '1e999',
    '9'.repeat(400),
    'a'.repeat(3000),
  ],
]
const text = () =>
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.string({ maxLength: 30 }),
    fc.constantFrom(...nasty),
    fc.array(fc.constantFrom(...nasty), { maxLength: 5 }).map((parts) => parts.join('')),
  )
const mutation = () =>
  fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), remove: fc.nat(12), insert: text() })
/**
 * A valid value, and sometimes an invalid one: a request that is wrong everywhere is rejected at
 * the first check.
 */
const mostly = <Value>(good: Value, other: fc.Arbitrary<Value>, weight = 4) =>
  fc.oneof({ weight, arbitrary: fc.constant(good) }, { weight: 1, arbitrary: other })
const mutations = (maxLength: number) => fc.array(mutation(), { maxLength })

const NAMES = [
  ...['oauth_consumer_key', 'oauth_token', 'oauth_signature', 'oauth_signature_method', 'oauth_timestamp'],
  ...['oauth_nonce', 'oauth_version', 'oauth_callback', 'oauth_verifier', 'realm', 'grant_type'],
  ...['access_token', 'svc_auth_access_type', 'webhook_config.fields', 'screen_name', 'force_login', 'id'],
  ...[
    'client_id',
    'redirect_uri',
    'response_type',
    'scope',
    'state',
    'code_challenge',
    'code',
    'code_verifier',
  ],
  ...['refresh_token', 'token', 'query', 'ids', 'max_results', 'pagination_token', 'start_time', 'end_time'],
]
const name = () => fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...NAMES) }, text())
const value = () =>
  fc.oneof(
    text(),
    fc.constantFrom('HMAC-SHA1', 'PLAINTEXT', '1.0', 'oob', 'read', 'id,url', 'client_credentials'),
    fc.constantFrom(APP.consumerKey, APP.token, 'https://app.example.com/callback', '0', '-1', '1772000000'),
  )
const pairs = () => fc.array(fc.tuple(name(), value()), { maxLength: 12 })
const encoded = (list: [string, string][]) =>
  list
    .map(
      ([key, item]) => `${encodeURIComponent(key.toWellFormed())}=${encodeURIComponent(item.toWellFormed())}`,
    )
    .join('&')
const pairText = () =>
  fc.oneof(
    pairs().map(encoded),
    pairs().map((list) => list.map((pair) => pair.join('=')).join('&')),
    fc.integer({ min: 1, max: 3000 }).map((count) => 'a=b&'.repeat(count)),
    text(),
  )

const credential = (): fc.Arbitrary<Credential> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant<Credential>({ kind: 'none' }) },
    {
      weight: 9,
      arbitrary: fc.record({
        kind: fc.constantFrom('signed', 'signed', 'bearer', 'basic'),
        mutations: mostly<Mutation[]>([], mutations(3)),
      }),
    },
    {
      weight: 3,
      arbitrary: fc
        .oneof(
          text(),
          fc
            .tuple(fc.constantFrom('OAuth', 'oauth', 'Bearer', 'Basic', 'Digest', 'OAuth2', ''), text())
            .map((parts) => parts.join(' ')),
          pairs().map(
            (list) =>
              `OAuth ${list.map(([key, item]) => `${encodeURIComponent(key.toWellFormed())}="${encodeURIComponent(item.toWellFormed())}"`).join(', ')}`,
          ),
          pairs().map((list) => `OAuth ${list.map(([key, item]) => `${key}="${item}"`).join(',')}`),
          fc
            .tuple(
              fc.constantFrom('OAuth ', 'Bearer ', 'Basic ', 'OAuth realm="'),
              fc.constantFrom('a', ',', '"', '%', '\\"', 'a="b",', ' ', '='),
              fc.integer({ min: 1, max: 40_000 }),
            )
            .map(([start, unit, length]) => start + unit.repeat(Math.ceil(length / unit.length))),
        )
        .map((made): Credential => ({ kind: 'text', text: made })),
    },
  )

/**
 * Members that bodies of endpoints have, each with a value that could be good, or with any other.
 */
const MEMBERS: Readonly<Record<string, readonly unknown[]>> = {
  event_type: ['post.create', 'dm.received', 'news.new', 'oauth.revoke', 'ProfileBioUpdate'],
  filter: [{ user_id: '1' }, { keyword: 'cats' }, { user_id: '1', direction: 'sent' }, {}],
  tag: ['a tag'],
  webhook_id: [WEBHOOK, '0', '9223372036854775808'],
  conversation_type: ['Group'],
  participant_ids: [['1', '2'], ['1'], []],
  message: [{ text: 'hello' }, { attachments: [{ media_id: '1' }] }],
  text: ['hello', 'https://127.0.0.1/a/status/1'],
  add: [[{ value: 'cat' }], [{ value: '(cat OR' }], []],
  delete: [{ ids: ['1'] }, { values: ['cat'] }, {}],
  post_id: ['1'],
  note_text: ['Context: https://example.com/'],
  uuids: [['1'], []],
}
const member = (good: readonly unknown[]) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...good) },
    { weight: 1, arbitrary: fc.jsonValue() },
    { weight: 1, arbitrary: text() },
    {
      weight: 1,
      arbitrary: fc.dictionary(fc.constantFrom('user_id', 'keyword', 'direction', 'text'), text()),
    },
  )
const knownMembers = () =>
  fc
    .record(Object.fromEntries(Object.entries(MEMBERS).map(([key, good]) => [key, member(good)])), {
      requiredKeys: [],
    })
    .map((made) => JSON.stringify(made))
/** Bodies with two or three members, which pass the most checks. */
const fewMembers = () =>
  fc
    .uniqueArray(fc.constantFrom(...Object.keys(MEMBERS)), { minLength: 1, maxLength: 4 })
    .chain((keys) => fc.record(Object.fromEntries(keys.map((key) => [key, member(MEMBERS[key] ?? [])]))))
    .map((made) => JSON.stringify(made))

const json = () =>
  fc.oneof(
    knownMembers(),
    { weight: 3, arbitrary: fewMembers() },
    fc.json(),
    fc.jsonValue().map((made) => `{"url":${JSON.stringify(made)}}`),
    text().map((made) => JSON.stringify({ url: made })),
    text().map((made) => JSON.stringify({ url: `${HERE}/${made}` })),
    fc
      .constantFrom(
        'https://localhost/x',
        'https://10.0.0.1/',
        'http://127.0.0.1:1/',
        'http://[::1]:1/',
        'ftp://127.0.0.1/',
        'https://[',
        'https://%00',
        'http://127.1:9/',
      )
      .map((url) => JSON.stringify({ url })),
    fc
      .tuple(fc.constantFrom('[', '{"a":', '{"url":', '[[', '[{"a":'), fc.integer({ min: 1, max: 20_000 }))
      .map(([unit, depth]) => unit.repeat(depth)),
    fc.integer({ min: 1, max: 15_000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
    fc.constantFrom(
      ...[
        '{"url":1e999}',
        `{"url":${'9'.repeat(5000)}}`,
        '{"url":-0}',
        '{"url":"\\ud800"}',
        '{"url":"\\udc00\\ud800"}',
      ],
      ...[
        '{"url":"a","url":"b"}',
        '{"__proto__":{"url":"a"}}',
        '{"__proto__":1,"url":"b"}',
        '{"constructor":{}}',
      ],
      ...[
        '\ufeff{}',
        '{}{}',
        '"',
        'nul',
        '{"url":"\\u0000"}',
        '{"":{}}',
        '{"toString":1}',
        '{"url":{"toString":null}}',
      ],
    ),
  )

const contentType = () =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant('application/json') },
    { weight: 3, arbitrary: fc.constant('application/x-www-form-urlencoded') },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        ...[
          'application/json; charset=utf-16',
          'APPLICATION/JSON;',
          'application/x-www-form-urlencoded;charset=latin1',
        ],
        ...[
          'multipart/form-data; boundary=x',
          'text/plain',
          'application/json, text/plain',
          '',
          ';',
          '/',
          'a/b;c="',
        ],
      ),
    },
    { weight: 1, arbitrary: text() },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )

const bodyText = () =>
  fc.oneof(
    json(),
    pairText(),
    fc.integer({ min: 60_000, max: 70_000 }).map((length) => 'x'.repeat(length)),
  )
const body = (): fc.Arbitrary<Body> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<Body>({ kind: 'none' }) },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('text'), type: contentType(), text: bodyText() }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('length'),
        type: contentType(),
        text: bodyText(),
        length: fc.oneof(
          fc.constantFrom(
            '-1',
            '0',
            '1e3',
            '0x10',
            '99999999999999999999',
            '9007199254740993',
            ' 5',
            '5, 5',
            '',
            'a',
          ),
          fc.nat(100).map(String),
        ),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('chunked'),
        type: contentType(),
        chunks: fc.array(fc.oneof(text(), json()), { maxLength: 4 }),
      }),
    },
  )

const path = () =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom(
        ...[
          '/2/webhooks',
          `/2/webhooks/${WEBHOOK}`,
          '/2/webhooks/0',
          '/oauth/request_token',
          '/oauth/access_token',
        ],
        ...[
          '/oauth2/token',
          '/oauth2/invalidate_token',
          '/oauth/authorize',
          '/oauth/authenticate',
          '/health',
        ],
        ...['/ready', '/ca.pem', '/12/accounts', '/', '*', 'http://other.test/2/webhooks', '/2', '/1.1/x'],
      ),
    },
    { weight: 2, arbitrary: text().map((made) => `/2/webhooks/${made}`) },
    { weight: 1, arbitrary: fc.array(text(), { maxLength: 4 }).map((parts) => `/${parts.join('/')}`) },
    {
      weight: 1,
      arbitrary: fc.integer({ min: 1, max: 5_000 }).map((length) => `/2/webhooks/${'1'.repeat(length)}`),
    },
    { weight: 1, arbitrary: text() },
  )

const header = (): fc.Arbitrary<[string, string]> =>
  fc.oneof(
    fc.tuple(
      fc.constantFrom(
        'host',
        'x-forwarded-proto',
        'x-forwarded-for',
        'expect',
        'connection',
        'upgrade',
        'cookie',
        'accept',
        'origin',
        'transfer-encoding',
        'x-http-method-override',
        'te',
        'trailer',
        'content-encoding',
        'authorization',
        'range',
      ),
      fc.oneof(
        text(),
        fc.constantFrom(
          'https',
          'http',
          '100-continue',
          'close',
          'keep-alive, upgrade',
          'h2c',
          'websocket',
          'gzip',
          'chunked',
          'identity',
          'chunked, gzip',
        ),
      ),
    ),
    fc.tuple(text(), text()),
    fc.integer({ min: 1, max: 40_000 }).map((length): [string, string] => ['x-long', 'a'.repeat(length)]),
  )

type Route = readonly [method: string, path: string, type?: string]
const ROUTES: readonly Route[] = [
  ['GET', '/2/webhooks'],
  ['POST', '/2/webhooks', JSON_TYPE],
  ['PUT', `/2/webhooks/${WEBHOOK}`],
  ['DELETE', '/2/webhooks/0'],
  ['POST', '/oauth/request_token', FORM],
  ['POST', '/oauth/access_token', FORM],
  ['POST', '/oauth2/token', FORM],
  ['POST', '/oauth2/invalidate_token', FORM],
  ['GET', '/oauth/authorize'],
  ['POST', '/oauth/authorize', FORM],
  ['GET', '/2/oauth2/authorize'],
  ['POST', '/2/oauth2/authorize', FORM],
  ['POST', '/2/oauth2/token', FORM],
  ['POST', '/2/oauth2/revoke', FORM],
  ['GET', '/2/activity/subscriptions'],
  ['POST', '/2/activity/subscriptions', JSON_TYPE],
  ['PUT', '/2/activity/subscriptions/0', JSON_TYPE],
  ['DELETE', '/2/activity/subscriptions'],
  ['POST', `/2/account_activity/webhooks/${WEBHOOK}/subscriptions/all`, JSON_TYPE],
  ['POST', '/2/posts/search/webhooks/0'],
  ['POST', '/2/posts/search/stream/rules', JSON_TYPE],
  ['POST', '/2/dm_conversations', JSON_TYPE],
  ['POST', '/2/dm_conversations/with/1/messages', JSON_TYPE],
  ['GET', '/2/dm_events'],
  ['POST', '/2/notes', JSON_TYPE],
  ['POST', '/2/evaluate_note', JSON_TYPE],
  ['GET', '/2/news/search'],
  ['GET', '/2/posts/search/recent'],
  ['GET', '/2/usage/posts'],
  ['DELETE', '/2/connections', JSON_TYPE],
]

/** A request to an endpoint that exists, with the body that it takes, however the rest is. */
function routed(any: Input, [method, where, type]: Route): Input {
  const { body: sent } = any
  const fitting: Body =
    type === undefined ? { kind: 'none' } : sent.kind === 'text' ? { ...sent, type } : sent
  return { ...any, server: 'core', method, path: where, body: fitting }
}

const anything: fc.Arbitrary<Input> = fc.record({
  server: fc.constantFrom('core', 'core', 'core', 'core', 'core', 'core', 'ads', 'console'),
  method: fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'CONNECT', 'PROPFIND', 'get', 'QUERY'),
    },
    { weight: 1, arbitrary: text() },
  ),
  path: path(),
  query: mostly<string | undefined>(undefined, pairText()),
  credential: credential(),
  headers: mostly<[string, string][]>([], fc.array(header(), { maxLength: 3 })),
  body: body(),
  wire: mostly<Mutation[]>([], mutations(3), 8),
})

const input = fc
  .tuple(anything, mostly<Route | undefined>(undefined, fc.constantFrom(...ROUTES), 1))
  .map(([any, route]) => (route ? routed(any, route) : any))

function mutated(original: string, changes: readonly Mutation[]): string {
  let result = original
  for (const { at, remove, insert } of changes) {
    const place = Math.floor(at * result.length)
    result = result.slice(0, place) + insert + result.slice(place + remove)
  }
  return result
}

function authorizationOf(
  { method, path: where, body: sent, credential: shown }: Input,
  target: string,
  world: World,
): string | undefined {
  switch (shown.kind) {
    case 'none':
      return undefined
    case 'text':
      return shown.text
    case 'bearer':
      return mutated(`Bearer ${world.bearer}`, shown.mutations)
    case 'basic':
      return mutated(basic, shown.mutations)
    case 'signed': {
      const isForm = sent.kind === 'text' && sent.type === 'application/x-www-form-urlencoded'
      const form = isForm ? [...new URLSearchParams(sent.text)].slice(0, 1000) : []
      return mutated(
        sign(method, target, where === '/oauth/request_token' ? 'app' : APP, form),
        shown.mutations,
      )
    }
  }
}

/** What cannot be signed gets the signature of something else. */
function sign(method: string, target: string, as: Signer, form: [string, string][]): string {
  try {
    return signedHeader(method, target, as, form)
  } catch {
    return signedHeader('GET', '/2/webhooks', as)
  }
}

/** The request as it goes over the wire, and whether its end can be told. */
function render(made: Input, world: World): { bytes: Buffer; complete: boolean } {
  const put = (template: string) => template.replaceAll(WEBHOOK, world.webhook).replaceAll(HERE, world.hooks)
  const filled = { ...made, path: put(made.path) }
  const target = made.query === undefined ? filled.path : `${filled.path}?${made.query}`
  const host = made.server === 'console' ? '127.0.0.1' : PUBLIC_HOST
  const lines = [`${made.method} ${target} HTTP/1.1`, `host: ${host}`]
  const authorization = authorizationOf(filled, target, world)
  if (authorization !== undefined) lines.push(`authorization: ${authorization}`)
  for (const [key, item] of made.headers) lines.push(`${key}: ${item}`)
  let content = ''
  if (made.body.kind !== 'none') {
    if (made.body.type !== undefined) lines.push(`content-type: ${made.body.type}`)
    if (made.body.kind === 'chunked') {
      lines.push('transfer-encoding: chunked')
      content = made.body.chunks
        .map((chunk) => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`)
        .join('')
      content += '0\r\n\r\n'
    } else {
      content = put(made.body.text)
      lines.push(
        `content-length: ${made.body.kind === 'length' ? made.body.length : Buffer.byteLength(content)}`,
      )
    }
  }
  const whole = `${lines.join('\r\n')}\r\n\r\n${content}`
  const complete = made.wire.length === 0 && made.headers.length === 0 && made.body.kind !== 'length'
  return { bytes: Buffer.from(mutated(whole, made.wire)), complete }
}

type Outcome = { kind: 'answered'; status: number } | { kind: 'closed' } | { kind: 'hung' }

/**
 * Sends bytes on a connection of their own and waits for the head of a final answer, or the end.
 */
function exchange(port: number, bytes: Buffer, complete: boolean): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    let received = ''
    const finish = (outcome: Outcome) => {
      clearTimeout(deadline)
      clearTimeout(patience)
      socket.destroy()
      resolve(outcome)
    }
    const deadline = setTimeout(() => finish({ kind: 'hung' }), ANSWER_MS)
    const patience = complete ? undefined : setTimeout(() => socket.end(), PATIENCE_MS)
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      received += chunk
      const status = finalStatus(received)
      if (status !== undefined) finish({ kind: 'answered', status })
    })
    socket.on('error', () => finish({ kind: 'closed' }))
    socket.on('close', () => finish({ kind: 'closed' }))
    socket.write(bytes)
  })
}

function finalStatus(received: string): number | undefined {
  for (const head of received.split('\r\n\r\n').slice(0, -1)) {
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1])
    if (status >= 200) return status
  }
  return undefined
}

export interface FuzzResult {
  inputs: number
  /** How often each status, or the end of a connection without one, was the answer. */
  outcomes: Record<string, number>
  /** What went wrong, with the smallest input that makes it so. */
  failure: string | undefined
}

export async function fuzz(inputs: number, seed: number): Promise<FuzzResult> {
  const folder = temporaryFolder()
  const consumer = createConsumer(APP.consumerSecret).listen(0, '127.0.0.1')
  await once(consumer, 'listening')
  const plaza = await startPlaza({ folder: folder.path, logs: false, more: ['--crc-timeout-ms', '1000'] })
  const client = new Client({ port: plaza.process.port, tls: false, connections: 1 })
  const database = new DatabaseSync(join(plaza.data, 'plaza.db'), { readOnly: true })
  const version = database.prepare('PRAGMA data_version')
  const outcomes: Record<string, number> = {}
  try {
    const hooks = `http://127.0.0.1:${(consumer.address() as AddressInfo).port}`
    const ports = { core: plaza.process.port, ads: plaza.adsPort, console: plaza.consolePort }
    const webhook = await register(client, `${hooks}/first`)
    const world: World = { ports, bearer: await bearerOf(client), webhook, hooks }
    const changes = () => Number(version.get()?.data_version)

    const play = async (made: Input) => {
      const { bytes, complete } = render(made, world)
      const before = changes()
      const outcome = await exchange(world.ports[made.server], bytes, complete)
      return { outcome, changed: changes() !== before }
    }
    /**
     * What a rejected request changes it changes each time; background work writes only now and
     * then.
     */
    const playPastBackgroundWork = async (made: Input) => {
      for (let more = MAX_REPETITIONS; ; more--) {
        const played = await play(made)
        const isRejected = played.outcome.kind === 'answered' && played.outcome.status >= 400
        if (!isRejected || !played.changed || more === 0) return played
        await sleep(BACKGROUND_MS)
      }
    }
    const property = fc.asyncProperty(input, async (made) => {
      const { outcome, changed } = await playPastBackgroundWork(made)
      const word = outcome.kind === 'answered' ? String(outcome.status) : outcome.kind
      outcomes[word] = (outcomes[word] ?? 0) + 1
      if (outcome.kind === 'hung') throw new Error(`no answer within ${ANSWER_MS} ms`)
      if (outcome.kind === 'answered' && outcome.status >= 500) throw new Error(`answered ${outcome.status}`)
      if (outcome.kind === 'answered' && outcome.status >= 400 && changed)
        throw new Error(`answered ${outcome.status} and changed the database`)
      if (!plaza.process.alive) throw new Error('the process has ended')
    })
    const details = await fc.check(property, { seed, numRuns: inputs })
    let failure = details.failed ? describe(details, world) : undefined
    failure ??= await aftermath(client, plaza.consolePort)
    return { inputs: details.numRuns, outcomes, failure }
  } finally {
    database.close()
    await client.close()
    await plaza.process.stop()
    consumer.close()
    consumer.closeAllConnections()
    folder.remove()
  }
}

function describe(details: fc.RunDetails<[Input]>, world: World): string {
  const [made] = details.counterexample ?? []
  const sent = made && render(made, world).bytes.toString('latin1')
  return [
    `seed ${details.seed}, path ${details.counterexamplePath}, shrunk ${details.numShrinks} times:`,
    details.errorInstance instanceof Error ? details.errorInstance.message : 'failed',
    shortened(JSON.stringify(made) ?? ''),
    shortened(JSON.stringify(sent) ?? ''),
  ].join('\n')
}

const shortened = (long: string) => (long.length > 3000 ? `${long.slice(0, 3000)}…` : long)

/** Whether the server is healthy after all that. */
async function aftermath(client: Client, consolePort: number): Promise<string | undefined> {
  const health = await fetch(`http://127.0.0.1:${consolePort}/ready`)
  if (health.status !== 200) return `the console answers ${health.status} afterwards`
  const { status, text: reply } = await client.signed({ method: 'GET', path: '/2/webhooks' })
  return status === 200 ? undefined : `a good request is answered ${status} ${reply} afterwards`
}

if (import.meta.main) {
  const [inputs = '100000', seed = String(Date.now() % 2 ** 31)] = process.argv.slice(2)
  console.log(`seed ${seed}`)
  const result = await fuzz(Number(inputs), Number(seed))
  console.log(`${result.inputs} inputs: ${JSON.stringify(result.outcomes)}`)
  console.log(result.failure ?? 'no failure')
  process.exitCode = result.failure === undefined ? 0 : 1
}
