import type { AuthenticationServices } from '../../identity/auth/authenticate.ts'
import { acceptedBy } from '../../identity/auth/kinds.ts'
import { parseAuthorization, parseOAuthHeader } from '../../identity/auth/signature/header.ts'
import { nearest } from '../../platform/common/nearest.ts'
import { isoTime } from '../../platform/common/time.ts'
import type { Endpoint } from '../../platform/http/contract.ts'
import type { ApiError } from '../../platform/http/errors.ts'
import { type Pair, parsePairs } from '../../platform/http/input/form.ts'
import type { Vocabulary } from '../../platform/http/vocabulary.ts'
import { problemSentence } from '../../platform/protocols/problem/errors.ts'
import type { SignatureAnalysis } from '../signature/analysis.ts'
import { checkSignature, type SignatureServices } from '../signature/check.ts'
import { pairsOf } from './entry.ts'
import type { JournalRecord } from './journal.ts'
import { maskedUrl } from './mask.ts'

/** How a listener authenticates. */
export type HostServices = SignatureServices & Pick<AuthenticationServices, 'timestampWindowSeconds'>

export interface ExplainServices {
  /** By listener. */
  readonly hosts: ReadonlyMap<string, HostServices>
  readonly endpoints: readonly Endpoint[]
  readonly vocabulary: Vocabulary
}

/** Why a request was answered as it was. */
export interface Explanation {
  readonly sentences: readonly string[]
  readonly signature: SignatureAnalysis | undefined
}

/** Explains an entry, in sentences. */
export async function explainEntry(record: JournalRecord, services: ExplainServices): Promise<Explanation> {
  if (record.kind === 'outgoing') return { sentences: outgoingSentences(record), signature: undefined }
  const { error, status = 0, method } = record
  const name = `${method} ${maskedUrl(record.url)}`
  if (!error) return { sentences: [`${name} was answered with ${status}.`], signature: undefined }
  const sentences = [`${name} was rejected with ${status}: ${error.reason}.`]
  const signature = isSignatureMismatch(error) ? await signatureOf(record, services) : undefined
  sentences.push(...(signature?.sentences ?? (await reasons(record, error, services))))
  return { sentences, signature: signature?.analysis }
}

function outgoingSentences({ method, url, status, failure }: JournalRecord): string[] {
  const name = `${method} ${maskedUrl(url)}`
  return [
    failure === undefined
      ? `${name} was answered with ${status}.`
      : `${name} had no usable answer: ${failure}.`,
  ]
}

const isSignatureMismatch = ({ reason, message }: ApiError) =>
  reason === 'could not authenticate' && message === 'signature mismatch'

/** Checks the signature of a request again, and tells what is wrong with it. */
async function signatureOf(
  record: JournalRecord,
  { hosts }: ExplainServices,
): Promise<{ sentences: string[]; analysis: SignatureAnalysis | undefined } | undefined> {
  const services = hosts.get(record.host)
  if (!services) return undefined
  const { problem, analysis } = await checkSignature(
    {
      method: record.method,
      scheme: record.scheme,
      host: headerOf(record, 'host') ?? '',
      target: record.url,
      authorization: headerOf(record, 'authorization'),
      form: formOf(record),
    },
    services,
  )
  if (problem !== undefined) return { sentences: [problem], analysis: undefined }
  return { sentences: mismatchSentences(analysis), analysis }
}

function mismatchSentences({ matches, mistakes, firstDifference }: SignatureAnalysis): string[] {
  if (matches) return ['The signature is right now: the secrets of the app or the token changed meanwhile.']
  if (mistakes.length === 0)
    return [
      'The signature does not match, and no common mistake explains it.',
      'Most often, the consumer secret or the token secret of the client is not the right one.',
      'Compare the base string of the client with the expected one.',
    ]
  return firstDifference === undefined
    ? [...mistakes]
    : [...mistakes, `The base strings differ from character ${firstDifference + 1} on.`]
}

export const headerOf = ({ requestHeaders }: JournalRecord, wanted: string): string | undefined =>
  pairsOf(requestHeaders).find(([name]) => name.toLowerCase() === wanted)?.[1]

/** The text of a form body that was kept in full. */
function formOf(record: JournalRecord): string | undefined {
  const { requestBody } = record
  const isForm = /^application\/x-www-form-urlencoded/i.test(headerOf(record, 'content-type') ?? '')
  return isForm ? requestBody?.toString() : undefined
}

/** What is known about an error besides its cause. */
async function reasons(record: JournalRecord, error: ApiError, services: ExplainServices): Promise<string[]> {
  const { vocabulary } = services
  if (error.violations.length > 0)
    return error.violations.map((violation) => `${problemSentence(violation, vocabulary)}.`)
  const specific = await specificSentences(record, error, services)
  if (specific.length > 0) return specific
  if (error.auth)
    return [
      `The request was authenticated with ${error.auth.used}; the endpoint accepts ${error.auth.supported.join(' or ')}.`,
    ]
  if (error.bearer?.scopes)
    return [`The token lacks a scope: the endpoint needs ${error.bearer.scopes.join(' ')}.`]
  if (error.message !== error.reason) return [sentence(error.message)]
  return []
}

const sentence = (text: string) =>
  /[.!?]$/.test(text) ? text : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

async function specificSentences(
  record: JournalRecord,
  { reason, message }: ApiError,
  services: ExplainServices,
): Promise<string[]> {
  switch (reason) {
    case 'bad authentication data':
      return badAuthentication(record, message, services)
    case 'could not authenticate':
      return couldNotAuthenticate(record, message)
    case 'timestamp out of bounds':
      return timestamp(record, services)
    case 'invalid token':
      return invalidToken(record, message, services)
    case 'not found':
    case 'method not allowed':
      return record.route === '' ? unknownRoute(record, services) : []
    case 'rate limited':
      return rateLimited(record)
    default:
      return []
  }
}

async function badAuthentication(
  record: JournalRecord,
  message: string,
  services: ExplainServices,
): Promise<string[]> {
  const endpoint = endpointOf(record, services)
  switch (message) {
    case 'no credentials':
      return [
        'The request has no credentials: neither an Authorization header nor the parameters of a signature in the query or the form.',
        ...(endpoint ? [`The endpoint accepts ${acceptedBy(endpoint).words.join(' or ')}.`] : []),
      ]
    case 'two schemes at once':
      return [
        'The request has an Authorization header and, in its query or form, the parameters of a signature.',
      ]
    case 'unparsable authorization header':
      return ['The Authorization header is empty or longer than 8192 characters.']
    case 'unparsable OAuth header':
      return [
        'The OAuth header must be a list of name="value", separated by commas, with percent-encoded values.',
      ]
    case 'malformed bearer':
      return ['The bearer token contains characters that no token has, or is longer than 512 characters.']
    default: {
      const checked = await signatureOf(record, services)
      return checked?.sentences ?? []
    }
  }
}

const endpointOf = ({ route }: JournalRecord, { endpoints }: ExplainServices) =>
  endpoints.find(({ method, path }) => `${method} ${path}` === route)

function couldNotAuthenticate(record: JournalRecord, message: string): string[] {
  if (message === 'unknown consumer key')
    return [
      `No app has the consumer key "${signedParameter(record, 'oauth_consumer_key') ?? ''}". Keys of another Plaza are not valid here, and with --memory each start makes new ones unless a seed names them.`,
    ]
  if (message === 'nonce used before')
    return [
      `The nonce "${signedParameter(record, 'oauth_nonce') ?? ''}" was used before: each request needs a new nonce, also when it is sent again.`,
    ]
  return []
}

/** A parameter of a signature, from the header, the query or a form. */
function signedParameter(record: JournalRecord, wanted: string): string | undefined {
  const authorization = headerOf(record, 'authorization')
  const rest = authorization === undefined ? undefined : parseAuthorization(authorization)?.rest
  const question = record.url.indexOf('?')
  const sources: (readonly Pair[] | undefined)[] = [
    rest === undefined ? undefined : parseOAuthHeader(rest),
    question === -1 ? undefined : parsePairs(record.url.slice(question + 1)),
    parsePairs(formOf(record) ?? ''),
  ]
  for (const pairs of sources) {
    const found = pairs?.find(([name]) => name === wanted)
    if (found) return found[1]
  }
  return undefined
}

function timestamp(record: JournalRecord, { hosts }: ExplainServices): string[] {
  const sent = Number(signedParameter(record, 'oauth_timestamp'))
  const difference = Math.round(sent - record.machineMs / 1000)
  const window = hosts.get(record.host)?.timestampWindowSeconds
  return [
    `The timestamp ${sent} of the signature was ${Math.abs(difference)} s ${difference < 0 ? 'behind' : 'ahead of'} the clock of this machine; at most ${window} s are allowed. Set the clock of the client.`,
  ]
}

async function invalidToken(
  record: JournalRecord,
  message: string,
  { hosts }: ExplainServices,
): Promise<string[]> {
  const elsewhere = 'It was revoked, or it is of another Plaza or of another app.'
  if (message === 'unknown bearer') return [`No app has this bearer token. ${elsewhere}`]
  if (message === 'unknown request token')
    return ['The request token does not exist: it was used, it has expired, or it is of another app.']
  const bearer = /^\s*bearer\s+(\S+)/i.exec(headerOf(record, 'authorization') ?? '')?.[1]
  const token = bearer === undefined ? undefined : await hosts.get(record.host)?.credentials.userToken(bearer)
  if (token && token.expiresAt <= record.timeMs)
    return [
      `The access token expired at ${isoTime(token.expiresAt)}; the clock showed ${isoTime(record.timeMs)}. Use the refresh token to get a new one.`,
    ]
  return [`The access token does not exist. ${elsewhere}`]
}

function unknownRoute({ method, url, host }: JournalRecord, { endpoints }: ExplainServices): string[] {
  const [path = ''] = url.split('?')
  const paths = [...new Set(endpoints.filter((one) => one.host === host).map((one) => one.path))]
  const same = endpoints.filter((one) => isLike(path, one.path)).map((one) => one.method)
  if (same.length > 0)
    return [`The path exists, but not with ${method}: it accepts ${[...new Set(same)].sort().join(' and ')}.`]
  const guess = nearest(path, paths)
  return [
    `No endpoint has the path ${maskedUrl(path)}.`,
    ...(guess === undefined ? [] : [`The nearest is ${guess}.`]),
  ]
}

/** Whether a path matches a template. */
function isLike(path: string, template: string): boolean {
  const segments = path.split('/')
  const wanted = template.split('/')
  return (
    segments.length === wanted.length &&
    wanted.every((one, index) => one.startsWith('{') || one === segments[index])
  )
}

function rateLimited({ replyHeaders }: JournalRecord): string[] {
  const valueFor = (suffix: string) =>
    Object.entries(replyHeaders).find(([name]) => name.endsWith(suffix))?.[1]
  const [limit, reset] = [valueFor('rate-limit-limit'), Number(valueFor('rate-limit-reset'))]
  return limit === undefined || Number.isNaN(reset)
    ? []
    : [`All ${limit} requests of the window are used. The next window begins at ${isoTime(reset * 1000)}.`]
}
