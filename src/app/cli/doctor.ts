import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { getCACertificates } from 'node:tls'
import { systemClock } from '../../platform/common/clock.ts'
import { isoTime } from '../../platform/common/time.ts'
import { VERSION } from '../../platform/common/version.ts'
import { type Config, listenAddresses, options } from '../../platform/config/config.ts'
import { errorCode } from '../../platform/storage/atomic-file.ts'
import { callAdmin } from '../admin-client.ts'
import { redisUnusable } from '../start/state.ts'
import { adminTarget } from './admin.ts'
import type { Call } from './command.ts'
import { isRunning, type RunningFile, readFacts, runningFileOf } from './files.ts'
import { hasInstallation, withInstallation } from './installation.ts'
import { quote } from './shell.ts'

/** What a check found. A problem keeps something from working; a warning may surprise. */
interface Finding {
  check: 'versions' | 'running' | 'ports' | 'certificates' | 'clock' | 'disk' | 'database' | 'redis'
  level: 'ok' | 'warning' | 'problem'
  /** A sentence, and what to do unless it is fine. */
  says: string
}

const ok = (check: Finding['check'], says: string): Finding => ({ check, level: 'ok', says })
const warning = (check: Finding['check'], says: string): Finding => ({ check, level: 'warning', says })
const problem = (check: Finding['check'], says: string): Finding => ({ check, level: 'problem', says })

const MARKS = { ok: 'ok     ', warning: 'warning', problem: 'PROBLEM' } as const

/** `plaza doctor`: exits with 1 if there is a problem. */
export async function run({ flags, config }: Call): Promise<number> {
  const facts = runningFacts(config)
  const checks = [versions, running, ports, certificates, clock, disk, database, redis]
  let problems = 0
  for (const check of checks)
    for (const finding of await check(config, facts)) {
      if (finding.level === 'problem') problems++
      console.log(
        flags.on('json')
          ? JSON.stringify(finding)
          : `${MARKS[finding.level]}  ${finding.check.padEnd(12)}  ${finding.says}`,
      )
    }
  return problems === 0 ? 0 : 1
}

/** The Plaza that runs with these settings, by its ready file or data folder. */
function runningFacts(config: Config): RunningFile | undefined {
  try {
    const facts = readFacts(config.readyFile ?? runningFileOf(config.data))
    return facts && isRunning(facts) ? facts : undefined
  } catch {
    return undefined
  }
}

type Check = (config: Config, facts: RunningFile | undefined) => Promise<Finding[]> | Finding[]

const OLDEST_NODE = 24

const versions: Check = () => {
  const node = process.versions.node
  const says = `Plaza ${VERSION}, Node ${node}.`
  return Number(node.split('.')[0]) >= OLDEST_NODE
    ? [ok('versions', says)]
    : [problem('versions', `${says} Plaza needs Node ${OLDEST_NODE} or later: install it.`)]
}

const running: Check = async (config, facts) => {
  if (!facts) return [ok('running', `No Plaza runs with ${placeOf(config)}. "plaza start" starts one.`)]
  const where = `A Plaza runs with ${placeOf(config)}: process ${facts.pid}, console ${facts.console_url}.`
  try {
    const now = await statusOf(config)
    const findings = [ok('running', where)]
    if (!now.ready)
      findings.push(
        problem('running', `It is not ready: ${now.problems.join(' ')} "plaza logs" may say more.`),
      )
    if (now.version !== VERSION)
      findings.push(
        warning(
          'running',
          `It has the version ${now.version}, and this program ${VERSION}: stop it and start it again.`,
        ),
      )
    return findings
  } catch (error) {
    return [warning('running', `${where} Its admin API does not answer: ${(error as Error).message}`)]
  }
}

const placeOf = ({ readyFile, data }: Config) =>
  readyFile === undefined ? `the data folder ${resolve(data)}` : `the ready file ${resolve(readyFile)}`

interface Status {
  ready: boolean
  problems: string[]
  version: string
  clock: { now: string; machine_now: string; frozen: boolean }
}

const statusOf = async (config: Config) => callAdmin<Status>(await adminTarget(config), 'GET', '/status')

const PORTS = ['corePort', 'adsPort', 'adsSandboxPort', 'consolePort'] as const

/** Whether the ports of the settings can be opened. A running Plaza has opened its own. */
const ports: Check = async (config, facts) => {
  if (facts) {
    const own = [facts.core_port, facts.ads_port, facts.ads_sandbox_port, facts.console_port]
    return [ok('ports', `The running Plaza listens on the ports ${own.join(', ')}.`)]
  }
  const addresses = listenAddresses(config)
  const at = { corePort: addresses.core, adsPort: addresses.ads, adsSandboxPort: addresses.sandbox }
  const findings: Finding[] = []
  for (const name of PORTS) {
    const address = name === 'consolePort' ? '127.0.0.1' : at[name]
    const finding = await portFinding(address, config[name], options[name].flag)
    if (finding) findings.push(finding)
  }
  return findings.length > 0
    ? findings
    : [ok('ports', `The ports ${PORTS.map((name) => config[name]).join(', ')} can be opened.`)]
}

async function portFinding(address: string, port: number, flag: string): Promise<Finding | undefined> {
  const code = await openingFault(address, port)
  if (code === undefined) return undefined
  const choose = `choose another port with --${flag}`
  if (code === 'EADDRINUSE')
    return problem(
      'ports',
      `Port ${port} of ${address} is in use. Stop the program that uses it, or ${choose}.`,
    )
  if (code === 'EACCES')
    return problem('ports', `This user may not use port ${port} of ${address}: ${choose}.`)
  return problem(
    'ports',
    `Port ${port} of ${address} cannot be opened (${code}): correct --listen, or ${choose}.`,
  )
}

/** The code of the error when a port is opened; undefined if there is none. */
const openingFault = (host: string, port: number): Promise<string | undefined> =>
  new Promise((done) => {
    const server = createServer()
    server.once('error', (error) => done(errorCode(error) ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => done(undefined)))
  })

const MONTH_MS = 30 * 86_400_000

const certificates: Check = (config, facts) => {
  if (config.behindProxy) return [ok('certificates', 'The proxy has the certificate: --behind-proxy.')]
  if (config.tlsCertificate !== undefined) return [validity(config.tlsCertificate, '--tls-certificate')]
  const file = facts?.ca_file ?? join(resolve(config.data), 'tls', 'ca.pem')
  if (!existsSync(file))
    return [
      ok('certificates', 'There is no local authority yet: the first start with a data folder makes one.'),
    ]
  const valid = validity(file, 'the local authority')
  return valid.level === 'problem' ? [valid] : [valid, trust(file)]
}

/** Whether the first certificate of a file can be read, and is valid now. */
function validity(file: string, what: string): Finding {
  try {
    const { validTo, validFrom } = new X509Certificate(readFileSync(file))
    const now = systemClock.now()
    const [from, to] = [Date.parse(validFrom), Date.parse(validTo)]
    const says = `The certificate of ${what}, ${file}, is valid until ${isoTime(to)}`
    if (now > to)
      return problem(
        'certificates',
        `${says}, which is over. Replace it, or remove the folder of the local authority and start again.`,
      )
    if (now < from)
      return problem(
        'certificates',
        `The certificate of ${what}, ${file}, is valid from ${isoTime(from)}: correct the clock of this machine.`,
      )
    return to - now < MONTH_MS
      ? warning('certificates', `${says}: replace it soon.`)
      : ok('certificates', `${says}.`)
  } catch (error) {
    return problem('certificates', `${file} is not a certificate (${(error as Error).message}): replace it.`)
  }
}

/** Whether programs with Node's defaults trust an authority. */
function trust(file: string): Finding {
  const same = (pem: string) => pem.replaceAll(/\s/g, '') === readFileSync(file, 'utf8').replaceAll(/\s/g, '')
  const trusted = (['default', 'system', 'extra'] as const).some((kind) => getCACertificates(kind).some(same))
  return trusted
    ? ok('certificates', 'This shell trusts the local authority.')
    : warning(
        'certificates',
        `Clients in this shell do not trust the local authority: export NODE_EXTRA_CA_CERTS=${quote(file)} for Node and SSL_CERT_FILE=${quote(file)} for many others, or pass it to the client, as with curl --cacert.`,
      )
}

const EARLIEST_MS = Date.UTC(2025, 0)

const clock: Check = async (config, facts) => {
  const machine = systemClock.now()
  if (machine < EARLIEST_MS)
    return [
      problem(
        'clock',
        `The clock of this machine shows ${isoTime(machine)}: set it. Signatures and certificates need it.`,
      ),
    ]
  if (!facts) return [ok('clock', `The clock of this machine shows ${isoTime(machine)}.`)]
  try {
    const { now, machine_now, frozen } = (await statusOf(config)).clock
    const isAhead = Math.abs(Date.parse(now) - Date.parse(machine_now)) > 1_000
    if (!isAhead && !frozen) return [ok('clock', `Plaza shows the time of this machine, ${now}.`)]
    return [
      warning(
        'clock',
        `Plaza shows ${now}${frozen ? ' and stands still' : ''}, while the machine shows ${machine_now}. "plaza clock resume" lets it go on; it never goes back.`,
      ),
    ]
  } catch {
    return [ok('clock', `The clock of this machine shows ${isoTime(machine)}.`)]
  }
}

const LITTLE_BYTES = 1_000_000_000
const TOO_LITTLE_BYTES = 100_000_000

const disk: Check = async ({ data, memory }) => {
  if (memory) return [ok('disk', 'With --memory, nothing is stored.')]
  // The folder may not exist yet: then the one that it will be in.
  let folder = resolve(data)
  while (!existsSync(folder)) folder = dirname(folder)
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const says = `${Math.round(free / 1_000_000).toLocaleString('en')} MB are free at ${folder}`
  if (free < TOO_LITTLE_BYTES)
    return [problem('disk', `${says}: make room, or choose another folder with --data.`)]
  return free < LITTLE_BYTES ? [warning('disk', `${says}: make room soon.`)] : [ok('disk', `${says}.`)]
}

const database: Check = async (config) => {
  if (config.memory) return [ok('database', 'With --memory, the database is in the process.')]
  if (!hasInstallation(config))
    return [ok('database', `There is no database in ${resolve(config.data)} yet: the first start makes one.`)]
  try {
    await withInstallation(config, async () => undefined)
    const what = config.databaseUrl === undefined ? `in ${resolve(config.data)}` : 'in PostgreSQL'
    return [ok('database', `The database ${what} opens, and its master key fits.`)]
  } catch (error) {
    return [problem('database', (error as Error).message)]
  }
}

const REDIS_TIMEOUT_MS = 5_000

const redis: Check = async ({ redisUrl }) => {
  if (redisUrl === undefined)
    return [ok('redis', 'Redis is not used: one node runs without it. Several need --redis-url.')]
  const { createClient } = await import('@redis/client')
  const client = createClient({
    url: redisUrl,
    socket: { connectTimeout: REDIS_TIMEOUT_MS, reconnectStrategy: false },
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.ping()
    return [ok('redis', 'Redis answers.')]
  } catch (error) {
    return [problem('redis', redisUnusable(error, redisUrl).message)]
  } finally {
    client.destroy()
  }
}
