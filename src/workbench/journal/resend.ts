import { parseAuthorization, parseOAuthHeader } from '../../identity/auth/signature/header.ts'
import { signRequest } from '../../identity/auth/signature/sign.ts'
import type { Credentials } from '../../identity/tokens/credentials.ts'
import type { TimeSource } from '../../platform/common/clock.ts'
import { type RandomSource, randomText } from '../../platform/common/random.ts'
import { type Pair, parsePairs } from '../../platform/http/input/form.ts'
import { type OwnListener, type OwnReply, sendToOwn } from '../own-server.ts'
import { pairsOf } from './entry.ts'
import { headerOf } from './explain.ts'
import { urlOf } from './export.ts'
import type { JournalRecord } from './journal.ts'

export interface ResendServices {
  /** By host. */
  readonly listeners: ReadonlyMap<string, OwnListener>
  readonly credentials: Credentials
  readonly machineClock: TimeSource
  readonly random: RandomSource
}

/** The entry cannot be sent again; the message says why. */
export class NotResendable extends Error {
  override readonly name = 'NotResendable'
}

const MAX_REPLY_BYTES = 64 * 1024 * 1024
const NONCE_LENGTH = 32
/** Headers that belong to the connection, or that are computed again. */
const OMITTED = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
])

/**
 * Sends the request of an entry again, with the same headers and body. A signature of OAuth 1.0a is
 * made anew with the stored secrets, because a server accepts each only once.
 * @throws NotResendable
 */
export async function resendEntry(record: JournalRecord, services: ResendServices): Promise<OwnReply> {
  if (record.kind !== 'request')
    throw new NotResendable('Only requests can be sent again, no streams or outgoing calls.')
  const listener = services.listeners.get(record.host)
  if (!listener) throw new NotResendable(`There is no listener "${record.host}".`)
  const { requestBody: body, requestLength: length } = record
  const declared = Number(headerOf(record, 'content-length') ?? 0)
  if ((body === undefined ? 0 : Buffer.byteLength(body)) !== length || (length === 0 && declared > 0))
    throw new NotResendable('The body of the request was not kept in full, or never read.')
  const authorization = await signedAgain(record, services)
  const headers = pairsOf(record.requestHeaders)
    .filter(([name]) => !OMITTED.has(name.toLowerCase()))
    .map(([name, value]) =>
      name.toLowerCase() === 'authorization' ? [name, authorization ?? value] : [name, value],
    )
  return sendToOwn(
    listener,
    { method: record.method, target: record.url, headers: headers.flat(), body },
    MAX_REPLY_BYTES,
  )
}

/** A new OAuth header; undefined if the request has none, or the app or token are unknown. */
async function signedAgain(
  record: JournalRecord,
  { credentials, machineClock, random }: ResendServices,
): Promise<string | undefined> {
  const parsed = parseAuthorization(headerOf(record, 'authorization') ?? '')
  const pairs = parsed?.scheme === 'oauth' ? parseOAuthHeader(parsed.rest) : undefined
  if (!pairs) return undefined
  const valueFor = (name: string) => pairs.find(([other]) => other === name)?.[1]
  await credentials.refresh()
  const app = await credentials.appByKey(valueFor('oauth_consumer_key') ?? '')
  const token = valueFor('oauth_token') || undefined
  const known = token === undefined ? undefined : await credentials.accessToken(token)
  if (!app || (token !== undefined && !known)) return undefined
  return signRequest({
    method: record.method,
    url: urlWithSecrets(record),
    form: formPairs(record),
    callback: valueFor('oauth_callback'),
    verifier: valueFor('oauth_verifier'),
    consumerKey: app.consumerKey,
    consumerSecret: app.consumerSecret,
    token,
    tokenSecret: known?.secret,
    nonce: randomText(random, NONCE_LENGTH),
    timestampSeconds: Math.floor(machineClock.now() / 1000),
  }).header
}

const urlWithSecrets = (record: JournalRecord) => new URL(record.url, urlOf(record))

function formPairs(record: JournalRecord): Pair[] {
  const isForm = /^application\/x-www-form-urlencoded/i.test(headerOf(record, 'content-type') ?? '')
  return (isForm && parsePairs(record.requestBody?.toString() ?? '')) || []
}
