import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { seededRandom } from '../src/platform/common/random.ts'
import { type Answer, basic, type Call, Client, type Signer, signedHeader } from './client.ts'
import { createConsumer } from './consumer.ts'
import { APP, type RunningPlaza, spareOf, startPlaza, temporaryFolder } from './processes.ts'

// Kills Plaza while many write, restarts it on the same folder, and checks that everything that it
// had acknowledged is still true. npm run crash [-- rounds [seed]]

const WRITERS = 8
const MIN_RUN_MS = 100
const SPREAD_MS = 600
const CONNECTIONS = 16
/** Replays of one round: the last ones before the kill are the likely ones to be lost. */
const REPLAYS = 40
/** Access tokens that may be ended, each of a user of its own: making users takes time. */
const MAX_SPARES = 20

export interface CrashResult {
  rounds: number
  /** Writes that were answered with success. */
  acknowledged: number
  /** Acknowledged results that are not true after the restart, as sentences. */
  losses: string[]
}

export interface CrashOptions {
  rounds: number
  seed: string
  onRound?: (round: number, result: CrashResult) => void
}

/** The replies to the callers, and what is undetermined because there was no reply. */
class Known {
  /** By URL; the id of an acknowledged registration. */
  readonly registered = new Map<string, string>()
  readonly deleted = new Set<string>()
  /** Deletions without an answer. */
  readonly maybeDeleted = new Set<string>()
  bearer: string | undefined
  /** Nothing is known of the bearer in force: an invalidation got no answer. */
  bearerUnsure = false
  readonly endedBearers = new Set<string>()
  readonly endedTokens = new Set<number>()
  /** Request tokens that were issued this round. */
  requestTokens: string[] = []
  /** Calls with a signature that was accepted this round, the latest last. */
  accepted: Call[] = []
}

export async function crash({ rounds, seed, onRound }: CrashOptions): Promise<CrashResult> {
  const random = seededRandom(seed)
  const fraction = () => random.bytes(4).readUInt32LE() / 2 ** 32
  const folder = temporaryFolder()
  const consumer = createConsumer(APP.consumerSecret).listen(0, '127.0.0.1')
  await once(consumer, 'listening')
  const hooks = `http://127.0.0.1:${(consumer.address() as AddressInfo).port}`
  const known = new Known()
  const spares = Math.min(rounds, MAX_SPARES)
  const result: CrashResult = { rounds: 0, acknowledged: 0, losses: [] }
  let plaza: RunningPlaza | undefined
  const start = () =>
    startPlaza({
      folder: folder.path,
      spares,
      logs: false,
      more: ['--webhooks-per-app', '10000'],
    })
  try {
    plaza = await start()
    for (let round = 0; round < rounds; round++) {
      const client = new Client({ port: plaza.process.port, tls: false, connections: CONNECTIONS })
      const victim = plaza.process
      const killed = new Promise<void>((resolve) => {
        setTimeout(() => void victim.stop('SIGKILL').then(resolve), MIN_RUN_MS + fraction() * SPREAD_MS)
      })
      const spareAt = (at: number) => Math.floor((at * spares) / rounds)
      const spare = round === 0 || spareAt(round) > spareAt(round - 1) ? spareAt(round) : undefined
      known.requestTokens = []
      known.accepted = []
      await Promise.all([
        killed,
        ...writers({ client, known, result, round, spare, hooks, running: () => victim.alive }),
      ])
      await client.close()
      checkDatabase(join(plaza.data, 'plaza.db'), result)
      plaza = await start()
      const after = new Client({ port: plaza.process.port, tls: false, connections: CONNECTIONS })
      await check(after, known, result)
      await after.close()
      result.rounds++
      onRound?.(result.rounds, result)
    }
    return result
  } finally {
    await plaza?.process.stop()
    consumer.close()
    consumer.closeAllConnections()
    folder.remove()
  }
}

interface Work {
  client: Client
  known: Known
  result: CrashResult
  round: number
  /** The access token to end, in rounds that have one. */
  spare: number | undefined
  hooks: string
  running: () => boolean
}

/** Callers that continue until the server is gone. */
function writers(work: Work): Promise<void>[] {
  const { running } = work
  const forever = async (step: (n: number) => Promise<void>) => {
    for (let n = 0; running(); n++) await step(n)
  }
  const many = (step: (writer: number, n: number) => Promise<void>) =>
    Array.from({ length: WRITERS }, (_, writer) => forever((n) => step(writer, n)))
  return [
    ...many((writer, n) => writeWebhooks(work, writer, n)),
    ...many(() => readSigned(work)),
    ...many(() => askRequestToken(work)),
    forever(() => turnBearer(work)),
    endToken(work),
  ]
}

/** The answer, or undefined when none came. An answer other than 200 must not come. */
async function ask({ client, result, known }: Work, call: Call): Promise<Answer | undefined> {
  let answer: Answer
  try {
    answer = await client.send(call)
  } catch {
    return undefined
  }
  if (answer.status !== 200) {
    result.losses.push(`${call.method} ${call.path} answered ${answer.status} ${answer.text}`)
    return undefined
  }
  if (call.authorization.startsWith('OAuth')) known.accepted.push(call)
  return answer
}

const sign = (call: Omit<Call, 'authorization'>, as?: Signer): Call => ({
  ...call,
  authorization: signedHeader(call.method, call.path, as, call.form),
})

async function writeWebhooks(work: Work, writer: number, n: number): Promise<void> {
  const { known, result, round, hooks } = work
  const url = `${hooks}/${round}/${writer}/${n}`
  const created = await ask(work, sign({ method: 'POST', path: '/2/webhooks', json: { url } }))
  if (!created) return
  const { id } = (JSON.parse(created.text) as { data: { id: string } }).data
  known.registered.set(url, id)
  result.acknowledged++
  // Half of them stay until a later round.
  if (n % 2 === 0) return
  known.maybeDeleted.add(id)
  if (!(await ask(work, sign({ method: 'DELETE', path: `/2/webhooks/${id}` })))) return
  known.maybeDeleted.delete(id)
  known.registered.delete(url)
  known.deleted.add(id)
  result.acknowledged++
}

async function readSigned(work: Work): Promise<void> {
  const call = sign({ method: 'GET', path: '/2/webhooks?webhook_config.fields=id' })
  if (await ask(work, call)) work.result.acknowledged++
}

async function askRequestToken(work: Work): Promise<void> {
  const form: [string, string][] = [['oauth_callback', 'https://app.example.com/callback']]
  const issued = await ask(work, sign({ method: 'POST', path: '/oauth/request_token', form }, 'app'))
  if (!issued) return
  work.known.requestTokens.push(new URLSearchParams(issued.text).get('oauth_token') ?? '')
  work.result.acknowledged++
}

const tokenCall: Call = {
  method: 'POST',
  path: '/oauth2/token',
  authorization: basic,
  form: [['grant_type', 'client_credentials']],
}

/** Asks for the bearer, asks again, ends it, asks for the next. */
async function turnBearer(work: Work): Promise<void> {
  const { known, result } = work
  for (let time = 0; time < 2; time++) {
    const issued = await ask(work, tokenCall)
    if (!issued) return
    const bearer = bearerIn(issued)
    if (!known.bearerUnsure && known.bearer !== undefined && known.bearer !== bearer)
      result.losses.push('the bearer changed without an invalidation')
    known.bearer = bearer
    known.bearerUnsure = false
    result.acknowledged++
  }
  const ending = known.bearer as string
  known.bearerUnsure = true
  const form: [string, string][] = [['access_token', ending]]
  if (!(await ask(work, sign({ method: 'POST', path: '/oauth2/invalidate_token', form })))) return
  known.endedBearers.add(ending)
  known.bearer = undefined
  known.bearerUnsure = false
  result.acknowledged++
}

const bearerIn = (answer: Answer) => (JSON.parse(answer.text) as { access_token: string }).access_token

async function endToken(work: Work): Promise<void> {
  const { spare } = work
  if (spare === undefined) return
  const call = sign({ method: 'POST', path: '/1.1/oauth/invalidate_token' }, spareOf(spare))
  if (!(await ask(work, call))) return
  work.known.endedTokens.add(spare)
  work.result.acknowledged++
}

/** Reads the file as the killed process left it. */
function checkDatabase(file: string, { losses }: CrashResult): void {
  const db = new DatabaseSync(file)
  try {
    const integrity = db.prepare('PRAGMA integrity_check').all()
    if (integrity.length !== 1 || integrity[0]?.integrity_check !== 'ok')
      losses.push(`integrity_check: ${JSON.stringify(integrity.slice(0, 5))}`)
    const violations = db.prepare('PRAGMA foreign_key_check').all()
    if (violations.length > 0) losses.push(`foreign_key_check: ${JSON.stringify(violations.slice(0, 5))}`)
  } finally {
    db.close()
  }
}

async function check(client: Client, known: Known, { losses }: CrashResult): Promise<void> {
  const list = await client.signed({ method: 'GET', path: '/2/webhooks' })
  if (list.status !== 200) losses.push(`the webhooks could not be listed: ${list.status} ${list.text}`)
  const { data } = JSON.parse(list.text) as { data: { id: string; url: string }[] }
  const listed = new Map(data.map(({ id, url }) => [id, url]))
  for (const [url, id] of known.registered) {
    if (listed.get(id) === url) continue
    if (!known.maybeDeleted.has(id)) losses.push(`the webhook ${id} (${url}) is lost`)
    known.registered.delete(url)
  }
  known.maybeDeleted.clear()
  for (const id of known.deleted) if (listed.has(id)) losses.push(`the deleted webhook ${id} is back`)
  known.deleted.clear()

  await Promise.all([
    ...[...known.endedBearers].slice(-REPLAYS).map(async (bearer) => {
      const authorization = `Bearer ${bearer}`
      const { status } = await client.send({ method: 'GET', path: '/2/webhooks', authorization })
      if (status !== 401) losses.push(`an ended bearer is answered ${status}`)
    }),
    ...[...known.endedTokens].map(async (spare) => {
      const { status } = await client.signed({ method: 'GET', path: '/2/webhooks' }, spareOf(spare))
      if (status !== 401) losses.push(`an ended access token is answered ${status}`)
    }),
    ...known.accepted.slice(-REPLAYS).map(async (call) => {
      const { status } = await client.send(call)
      if (status !== 401) losses.push(`a replayed ${call.method} ${call.path} is answered ${status}`)
    }),
    ...known.requestTokens.slice(-REPLAYS).map(async (token) => {
      // A wrong signature by a live token is told apart from any signature by an unknown one.
      const form: [string, string][] = [['oauth_verifier', 'none']]
      const call = { method: 'POST', path: '/oauth/access_token', form } as const
      const { status, text } = await client.signed(call, { token, secret: 'wrong' })
      if (status !== 401 || !text.includes('"code":32'))
        losses.push(`a request token is lost: ${status} ${text}`)
    }),
    (async () => {
      const issued = await client.send(tokenCall)
      if (issued.status !== 200) losses.push(`no bearer: ${issued.status} ${issued.text}`)
      else if (known.bearer !== undefined && !known.bearerUnsure && bearerIn(issued) !== known.bearer)
        losses.push('the acknowledged bearer is another one')
    })(),
  ])
  // So that the list does not grow over the rounds.
  await Promise.all(
    [...known.registered].map(async ([url, id]) => {
      const { status } = await client.signed({ method: 'DELETE', path: `/2/webhooks/${id}` })
      if (status === 200) known.deleted.add(id)
      else losses.push(`the webhook ${id} (${url}) could not be deleted: ${status}`)
    }),
  )
  known.registered.clear()
}

if (import.meta.main) {
  const [rounds = '100', seed = String(Date.now())] = process.argv.slice(2)
  console.log(`seed ${seed}`)
  const result = await crash({
    rounds: Number(rounds),
    seed,
    onRound: (round, { acknowledged, losses }) => {
      if (round % 10 === 0 || losses.length > 0)
        console.log(`${round} rounds, ${acknowledged} acknowledged writes, ${losses.length} losses`)
    },
  })
  for (const loss of result.losses.slice(0, 50)) console.log(`  ${loss}`)
  console.log(
    `${result.rounds} rounds, ${result.acknowledged} acknowledged writes, ${result.losses.length} losses`,
  )
  process.exitCode = result.losses.length === 0 ? 0 : 1
}
