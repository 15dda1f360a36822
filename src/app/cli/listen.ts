import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '../../platform/common/clock.ts'
import { isoTime } from '../../platform/common/time.ts'
import { type Config, options } from '../../platform/config/config.ts'
import type { Vocabulary } from '../../platform/http/vocabulary.ts'
import { errorCode } from '../../platform/storage/atomic-file.ts'
import { beside } from './beside.ts'
import { type Call, type Flags, UsageError } from './command.ts'
import { createConsumer, type Received } from './consumer.ts'
import { forward, forwardTarget } from './forward.ts'
import type { AppIdentity } from './identities.ts'
import { programWords } from './program.ts'
import { registerWebhook } from './register.ts'
import { findIdentities, findRunning, type Running } from './running.ts'
import { RUNNING } from './settings.ts'
import { quote } from './shell.ts'
import { stopSignal } from './signals.ts'
import { vocabularyOf, WEBHOOK_PATH, WEBHOOK_PORT } from './words.ts'

/** `plaza listen`: a webhook consumer for a running Plaza. */
export async function run({ flags, config }: Call): Promise<number> {
  const stopped = stopSignal()
  const asJson = flags.on('json')
  const vocabulary = vocabularyOf(config)
  const port = portOf(flags)
  const { app, secret } = await keysOf(flags, config)
  const running = flags.on('register') ? findRunning(config) : runningIfAny(config)

  const to = flags.text('forward-to')
  const target = to === undefined ? undefined : forwardTarget(to)
  const server = createConsumer({
    secret,
    vocabulary,
    report: (received) => print(received, asJson),
    forward: target && ((request) => forward(target, request)),
  })
  const url = `http://127.0.0.1:${await open(server, port)}${WEBHOOK_PATH}`
  try {
    if (!asJson) console.log(introduction(url, running, config, vocabulary, flags.on('register')))
    const registered =
      flags.on('register') && app && running
        ? await registerWebhook(url, { app, running, vocabulary })
        : undefined
    if (asJson) line({ kind: 'listening', url, webhook_id: registered?.id ?? null })
    else if (registered)
      console.log(`Registered as webhook ${registered.id}; it is deleted when this command stops.`)
    await stopped
    await registered?.remove().catch((error: Error) => console.error(`plaza: ${error.message}`))
  } finally {
    server.close()
    server.closeAllConnections()
  }
  return 0
}

function portOf(flags: Flags): number {
  const text = flags.text('port')
  if (text === undefined) return WEBHOOK_PORT
  try {
    return options.corePort.read(text)
  } catch (error) {
    throw new UsageError(`--port ${(error as Error).message}, not "${text}"`)
  }
}

/** The secret that signs, and the app if it is known. */
async function keysOf(flags: Flags, config: Config): Promise<{ app: AppIdentity | null; secret: string }> {
  const consumer_key = flags.text('consumer-key')
  const consumer_secret = flags.text('secret') ?? flags.text('consumer-secret')
  if (consumer_secret !== undefined && consumer_key !== undefined)
    return {
      app: { id: '', consumer_key, consumer_secret, client_id: null, client_secret: null },
      secret: consumer_secret,
    }
  if (consumer_key !== undefined) throw new UsageError('--consumer-key needs --consumer-secret or --secret')
  if (consumer_secret !== undefined) {
    if (flags.on('register')) throw new UsageError('--register with --secret also needs --consumer-key')
    return { app: null, secret: consumer_secret }
  }
  const { app } = await findIdentities(config, flags)
  if (!app) throw new Error('The store has no app. Create one with "plaza app create".')
  return { app, secret: app.consumer_secret }
}

/**
 * The consumer also works before the server runs. Only the suggested commands lack the address
 * then.
 */
function runningIfAny(config: Config): Running | undefined {
  try {
    return findRunning(config)
  } catch {
    return undefined
  }
}

async function open(server: Server, port: number): Promise<number> {
  server.listen({ host: '127.0.0.1', port })
  try {
    await once(server, 'listening')
  } catch (error) {
    if (errorCode(error) === 'EADDRINUSE')
      throw new Error(`Port ${port} of 127.0.0.1 is in use. Choose another port with --port.`)
    throw error
  }
  return (server.address() as AddressInfo).port
}

function introduction(
  url: string,
  running: Running | undefined,
  config: Config,
  vocabulary: Vocabulary,
  registers: boolean,
): string {
  const head = [`Listening for events at ${url}`, 'Stop it with Ctrl-C.']
  if (registers) return head.join('\n')
  const path = vocabulary.path('/2/webhooks')
  const body = quote(JSON.stringify({ [vocabulary.name('url')]: url }))
  const where = beside(config, RUNNING)?.flags ?? []
  return [
    ...head,
    '',
    'Register it, in another terminal (or use --register):',
    `  ${[programWords(), 'request', 'POST', path, '-d', body, ...where].join(' ')}`,
    ...(running ? ['or with curl and a bearer token of the app:', `  ${curl(running, path, body)}`] : []),
    '',
  ].join('\n')
}

function curl({ facts }: Running, path: string, body: string): string {
  const ca = facts.ca_file === null ? '' : `--cacert ${quote(facts.ca_file)} `
  return `curl ${ca}-H "Authorization: Bearer $BEARER" -H 'Content-Type: application/json' -d ${body} ${facts.core_url}${path}`
}

const line = (facts: object) => console.log(JSON.stringify({ time: now(), ...facts }))
const now = () => isoTime(systemClock.now())

function print(received: Received, asJson: boolean): void {
  if (received.kind === 'forged') console.error(`plaza: a delivery was rejected: ${received.reason}`)
  if (asJson) line(received)
  else if (received.kind === 'check') console.log(`${now()}  CRC check`)
  else if (received.kind === 'forwarded') {
    const { method, status, error, ms } = received
    console.log(`${now()}  ${method} forwarded: ${status ?? printable(error ?? '')} after ${ms} ms`)
  } else if (received.kind === 'event')
    console.log(
      `${now()}  ${printable(received.type)}\n${printable(JSON.stringify(received.body, undefined, 2))}`,
    )
  if (received.kind === 'check' && received.trusted === false)
    console.error(
      'plaza: the signature of a CRC check is invalid. Does the consumer secret belong to the app?',
    )
}

/** JSON leaves some control characters unescaped, and a terminal would interpret them. */
const printable = (text: string) =>
  text.replace(/[\p{Cc}\u2028\u2029]/gu, (one) =>
    one === '\n' ? one : `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
