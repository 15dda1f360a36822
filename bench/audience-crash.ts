import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { seededRandom } from '../src/platform/common/random.ts'
import { seedAccount } from './audiences.ts'
import { type Answer, Client, expectStatus } from './client.ts'
import { type RunningPlaza, startPlaza, temporaryFolder } from './processes.ts'

// Kills Plaza while many upload users to audiences, restarts it on the same folder, and checks that
// each acknowledged upload is there completely, and every other one completely or not at all. node
// bench/audience-crash.ts [rounds [seed]]

const WRITERS = 6
const CONNECTIONS = 12
const MIN_RUN_MS = 200
const SPREAD_MS = 1_500
const MAX_USERS = 4_000
const POLL_MS = 20
const MERGE_MS = 30_000

export interface AudienceCrashResult {
  rounds: number
  /** Uploads that were answered with success. */
  acknowledged: number
  /** Uploads without a response that are stored nevertheless. */
  unansweredButThere: number
  /** Acknowledged results that are not true after the restart, as sentences. */
  losses: string[]
}

/** One audience, and the replies to its uploader. */
interface Writer {
  path: string
  size: number
  /** Uploads that are members: from which user on, and how many. */
  there: { from: number; users: number }[]
  nextUser: number
  /** The size that an upload without an answer leaves, if it is there. */
  unsure: number | undefined
}

const user = (writer: number, n: number) => ({
  email: [createHash('sha256').update(`${writer} ${n}`).digest('hex')],
})

export async function crashUploads({
  rounds,
  seed,
}: {
  rounds: number
  seed: string
}): Promise<AudienceCrashResult> {
  const random = seededRandom(seed)
  const fraction = () => random.bytes(4).readUInt32LE() / 2 ** 32
  const folder = temporaryFolder()
  const result: AudienceCrashResult = { rounds: 0, acknowledged: 0, unansweredButThere: 0, losses: [] }
  const start = () => startPlaza({ folder: folder.path, logs: false, more: ['--audience-minimum', '0'] })
  let plaza: RunningPlaza | undefined
  try {
    plaza = await start()
    await plaza.process.stop()
    const account = seedAccount(plaza)
    plaza = await start()
    const writers = await createAudiences(plaza, account)
    for (let round = 0; round < rounds; round++) {
      const client = clientOf(plaza)
      const victim = plaza.process
      const killed = new Promise<void>((resolve) => {
        setTimeout(() => void victim.stop('SIGKILL').then(resolve), MIN_RUN_MS + fraction() * SPREAD_MS)
      })
      const running = () => victim.alive
      await Promise.all([
        killed,
        ...writers.map((writer, index) => upload(writer, index, { client, result, running, fraction })),
      ])
      await client.close()
      for (const file of ['membership-log.db', 'membership.db']) checkFile(join(plaza.data, file), result)
      plaza = await start()
      const after = clientOf(plaza)
      for (const writer of writers) await check(after, writer, result)
      await after.close()
      result.rounds++
    }
    return result
  } finally {
    await plaza?.process.stop()
    folder.remove()
  }
}

const clientOf = ({ adsPort }: RunningPlaza) =>
  new Client({ port: adsPort, tls: false, connections: CONNECTIONS })

async function createAudiences(plaza: RunningPlaza, account: string): Promise<Writer[]> {
  const client = clientOf(plaza)
  const path = `/12/accounts/${account}/custom_audiences`
  const writers: Writer[] = []
  for (let n = 0; n < WRITERS; n++) {
    const made = await client.signed({ method: 'POST', path, form: [['name', `Audience ${n}`]] })
    const { id } = (JSON.parse(made.text) as { data: { id: string } }).data
    // With one upload, it is processed at some time, whether or not the next one is stored.
    const first = await client.signed({
      method: 'POST',
      path: `${path}/${id}/users`,
      json: [{ operation_type: 'Update', params: { users: [user(n, 0)] } }],
    })
    expectStatus(first, 200, 'the first upload')
    const there = [{ from: 0, users: 1 }]
    writers.push({ path: `${path}/${id}`, size: 1, there, nextUser: 1, unsure: undefined })
  }
  await client.close()
  return writers
}

interface Work {
  client: Client
  result: AudienceCrashResult
  running: () => boolean
  fraction: () => number
}

/** Adds and removes users, one upload after the other, until the server is gone. */
async function upload(writer: Writer, index: number, work: Work): Promise<void> {
  const { client, result, running, fraction } = work
  while (running()) {
    const removed = fraction() < 0.3 ? writer.there[0] : undefined
    const { from, users } = removed ?? {
      from: writer.nextUser,
      users: 1 + Math.floor(fraction() * MAX_USERS),
    }
    const size = writer.size + (removed ? -users : users)
    const operation = {
      operation_type: removed ? 'Delete' : 'Update',
      params: { users: Array.from({ length: users }, (_, n) => user(index, from + n)) },
    }
    if (!removed) writer.nextUser += users
    writer.unsure = size
    let answer: Answer
    try {
      answer = await client.signed({ method: 'POST', path: `${writer.path}/users`, json: [operation] })
    } catch {
      // Whatever came of it is settled when the server is back.
      if (removed) writer.there.shift()
      return
    }
    writer.unsure = undefined
    if (answer.status !== 200) {
      result.losses.push(`an upload was answered ${answer.status} ${answer.text}`)
      return
    }
    if (removed) writer.there.shift()
    else writer.there.push({ from, users })
    writer.size = size
    result.acknowledged++
  }
}

/** Waits until an audience is processed, and compares what is there with what was acknowledged. */
async function check(client: Client, writer: Writer, result: AudienceCrashResult): Promise<void> {
  const began = performance.now()
  for (;;) {
    const { text } = await client.signed({ method: 'GET', path: writer.path })
    const { audience_size: size, reasons_not_targetable: reasons } = (
      JSON.parse(text) as { data: { audience_size: number; reasons_not_targetable: string[] } }
    ).data
    if (!reasons.includes('PROCESSING')) {
      const wanted = [writer.size, ...(writer.unsure === undefined ? [] : [writer.unsure])]
      if (!wanted.includes(size)) result.losses.push(`${size} members are there, not ${wanted.join(' or ')}`)
      if (size === writer.unsure && size !== writer.size) result.unansweredButThere++
      writer.size = size
      writer.unsure = undefined
      return
    }
    if (performance.now() - began > MERGE_MS) {
      result.losses.push('an audience is processed without end')
      return
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** Reads a file as the killed process left it. */
function checkFile(file: string, { losses }: AudienceCrashResult): void {
  const db = new DatabaseSync(file)
  try {
    const integrity = db.prepare('PRAGMA integrity_check').all()
    if (integrity.length !== 1 || integrity[0]?.integrity_check !== 'ok')
      losses.push(`integrity_check of ${file}: ${JSON.stringify(integrity.slice(0, 5))}`)
  } finally {
    db.close()
  }
}

if (import.meta.main) {
  const [rounds = '20', seed = String(Date.now())] = process.argv.slice(2)
  console.log(`seed ${seed}`)
  const result = await crashUploads({ rounds: Number(rounds), seed })
  for (const loss of result.losses.slice(0, 50)) console.log(`  ${loss}`)
  console.log(
    `${result.rounds} rounds, ${result.acknowledged} acknowledged uploads, ${result.unansweredButThere} without an answer are there, ${result.losses.length} losses`,
  )
  process.exitCode = result.losses.length === 0 ? 0 : 1
}
