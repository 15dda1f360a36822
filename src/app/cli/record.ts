import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { systemClock } from '../../platform/common/clock.ts'
import { systemRandom } from '../../platform/common/random.ts'
import { writeAtomically } from '../../platform/storage/atomic-file.ts'
import { loadCertificates } from '../../platform/tls/authority.ts'
import { harOf } from '../../workbench/journal/export.ts'
import { Journal } from '../../workbench/journal/journal.ts'
import { differences, type RecordedExchange, readHar } from '../../workbench/record/compare.ts'
import { RecordingProxy } from '../../workbench/record/proxy.ts'
import { type Call, UsageError } from './command.ts'
import { authorizationOf, type Caller, hostOf } from './request.ts'
import { findRunning, type Running } from './running.ts'
import { type Answer, type Outgoing, sendRequest } from './send.ts'
import { stopSignal } from './signals.ts'
import { numberOf } from './values.ts'

const MAX_ENTRIES = 10_000
const MAX_BYTES = 512 * 1024 * 1024
const MAX_BODY_BYTES = 4 * 1024 * 1024
const MAX_HAR_BYTES = 256 * 1024 * 1024

/** `plaza record`: a proxy in front of a real service, until Ctrl-C. */
export async function record({ flags }: Call): Promise<number> {
  const upstream = upstreamOf(flags.required('upstream'))
  const out = resolve(flags.required('out'))
  if (!statSync(dirname(out), { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--out ${out} is in a folder that does not exist`)
  const caFile = flags.text('upstream-ca')
  const made = await loadCertificates({
    names: [upstream.hostname],
    clock: systemClock,
    random: systemRandom,
    caFile: `${out}.ca.pem`,
  })
  const journal = new Journal({
    ...{ clock: systemClock, machineClock: systemClock },
    ...{ maxEntries: MAX_ENTRIES, maxBytes: MAX_BYTES, maxBodyBytes: MAX_BODY_BYTES },
  })
  const proxy = await RecordingProxy.open({
    upstream,
    port: numberOf(flags, 'port', 0, 65_535),
    certificate: { cert: made.certPem, key: made.keyPem },
    upstreamCa: caFile === undefined ? undefined : readFileSync(caFile, 'utf8'),
    journal,
  })
  const address = `http://127.0.0.1:${proxy.port}`
  console.log(
    flags.on('json')
      ? JSON.stringify({ url: address, ca_file: made.caFile, out })
      : `Recording ${upstream.origin}. Stop with Ctrl-C.\n  Call ${address} instead,\n  or set HTTPS_PROXY=${address} and trust ${made.caFile}.`,
  )
  await stopSignal()
  await proxy.close()
  const records = journal.oldestFirst
  writeAtomically(out, `${JSON.stringify(harOf(records), undefined, 2)}\n`, {
    random: systemRandom,
    mode: 0o600,
    keepExisting: false,
  })
  console.error(`${records.length} exchanges are in ${out}.`)
  const lost = journal.lastSequence - records.length
  if (lost > 0) console.error(`${lost} older ones did not fit.`)
  return 0
}

function upstreamOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '')
    throw new UsageError(`--upstream is an origin such as https://api.example.com, not "${text}"`)
  return url
}

/** The exchanges of the recording that a command names. */
export function readRecording({ positionals: [file = ''] }: Call): RecordedExchange[] {
  const size = statSync(file, { throwIfNoEntry: false })?.size
  if (size === undefined) throw new Error(`The file ${file} does not exist.`)
  if (size > MAX_HAR_BYTES) throw new Error(`The file ${file} is larger than ${MAX_HAR_BYTES} bytes.`)
  return readHar(readFileSync(file, 'utf8'))
}

/** `plaza compare`: plays a recording against the running Plaza. */
export async function compare(call: Call): Promise<number> {
  const { flags, config } = call
  const exchanges = readRecording(call)
  const running = findRunning(config)
  let different = 0
  for (const [index, exchange] of exchanges.entries()) {
    const { status, body } = await replayed(exchange, call, running)
    const found = differences(exchange, { status, reply: body.toString() })
    if (found.length > 0) different++
    const name = `${exchange.method} ${new URL(exchange.url).pathname}`
    if (flags.on('json')) console.log(JSON.stringify({ index, request: name, differences: found }))
    else if (found.length > 0) console.log([`${name}`, ...found.map((one) => `  ${one}`)].join('\n'))
  }
  if (!flags.on('json'))
    console.log(`${exchanges.length - different} of ${exchanges.length} replies have the same form.`)
  return different === 0 ? 0 : 1
}

/** Headers that belong to the connection, or that are made anew. */
const OWN_HEADERS = new Set(['authorization', 'connection', 'content-length', 'cookie', 'host', 'user-agent'])

/** Sends a recorded request to the running Plaza, signed with its own keys. */
async function replayed(
  { method, url, headers, body }: RecordedExchange,
  { flags, config }: Call,
  running: Running,
): Promise<Answer> {
  const { pathname, search } = new URL(url)
  const { core_url, ads_url } = running.facts
  const outgoing: Outgoing = {
    method,
    url: new URL((hostOf(pathname) === 'ads' ? ads_url : core_url) + pathname + search),
    headers: Object.fromEntries(
      headers
        .map(([name, value]) => [name.toLowerCase(), value])
        .filter(([name = '']) => !OWN_HEADERS.has(name)),
    ),
    body,
  }
  const sent = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1]
  const { authorization } = await authorizationOf(callerOf(sent), outgoing, flags, config, running)
  if (authorization !== undefined) outgoing.headers.authorization = authorization
  return sendRequest(outgoing, running)
}

/** Who a recorded request was sent as. A user's bearer looks like that of an app. */
function callerOf(authorization: string | undefined): Caller {
  const [scheme = ''] = (authorization ?? '').toLowerCase().split(' ')
  if (scheme === 'oauth') return /oauth_token=/.test(authorization ?? '') ? 'user' : 'client'
  return scheme === 'bearer' ? 'app' : scheme === 'basic' ? 'basic' : 'none'
}
