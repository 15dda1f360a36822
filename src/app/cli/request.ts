import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { METHODS } from 'node:http'
import type { RequestSignature } from '../../identity/auth/signature/sign.ts'
import { systemClock } from '../../platform/common/clock.ts'
import { nearest } from '../../platform/common/nearest.ts'
import { encode } from '../../platform/common/percent.ts'
import { randomText, systemRandom } from '../../platform/common/random.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Pair } from '../../platform/http/input/form.ts'
import { FORM_TYPE, MalformedForm, signCall } from '../../workbench/explorer/sign-call.ts'
import { type Call, type Flags, UsageError } from './command.ts'
import { explain, explained } from './explain.ts'
import { findIdentities, findRunning, type Running } from './running.ts'
import { type Answer, basicOf, fetchBearer, type Outgoing, sendRequest } from './send.ts'
import { vocabularyOf } from './words.ts'

export const CALLERS = ['user', 'app', 'client', 'basic', 'none'] as const
export type Caller = (typeof CALLERS)[number]
const HOSTS = ['core', 'ads', 'sandbox'] as const
const CORE_VERSION = '2'
const NONCE_LENGTH = 32
const NEWLINE = 0x0a

/** `plaza request`: signs, sends and prints. */
export async function run({ flags, positionals, config }: Call): Promise<number> {
  const as = flags.oneOf('as', CALLERS, 'user')
  const [method = '', target = ''] = positionals
  rejectUnknownMethod(method.toUpperCase())
  checkTogether(flags, as)
  const running = runningFor(target, config)
  const outgoing: Outgoing = {
    method: method.toUpperCase(),
    url: urlOf(target, flags, running),
    ...bodyOf(flags),
  }
  const { authorization, signed } = await authorizationOf(as, outgoing, flags, config, running)
  if (authorization !== undefined) outgoing.headers.authorization = authorization

  if (flags.on('explain') && signed && !flags.on('json'))
    console.log(explain(signed, outgoing.method, flags.on('show-secrets')))
  if (flags.on('dry-run')) {
    if (flags.on('json')) console.log(JSON.stringify(asData(outgoing, signed, flags)))
    else if (!flags.on('explain')) console.log(dryText(outgoing))
    return 0
  }
  const answer = await sendRequest(outgoing, running)
  if (flags.on('json')) console.log(answerAsJson(answer, asData(undefined, signed, flags)))
  else printAnswer(answer, flags)
  return answer.status >= 200 && answer.status < 300 ? 0 : 1
}

/** `CONNECT` requests a tunnel from a proxy. */
function rejectUnknownMethod(method: string): void {
  const known = METHODS.filter((one) => one !== 'CONNECT')
  if (known.includes(method)) return
  const guess = nearest(method, known)
  throw new UsageError(
    `"${method}" is not an HTTP method${guess === undefined ? '' : `; did you mean ${guess}?`}`,
  )
}

function checkTogether(flags: Flags, as: Caller): void {
  if (flags.on('explain') && as !== 'user' && as !== 'client')
    throw new UsageError(`--explain shows OAuth 1.0a signatures, and --as ${as} has none`)
  if (flags.text('body') !== undefined && flags.list('form').length > 0)
    throw new UsageError('--body and --form cannot be combined')
  rejectHalf(flags, 'consumer-key', 'consumer-secret')
  rejectHalf(flags, 'token', 'token-secret')
  const timestamp = flags.text('timestamp')
  if (timestamp !== undefined && !/^[1-9][0-9]{0,15}$/.test(timestamp))
    throw new UsageError('--timestamp must be seconds since 1970')
}

/**
 * Half of a pair of credentials must not be ignored: the request would be signed with other ones.
 */
function rejectHalf(flags: Flags, key: string, secret: string): void {
  if ((flags.text(key) === undefined) !== (flags.text(secret) === undefined))
    throw new UsageError(`--${key} and --${secret} must be given together`)
}

/** A full URL may be on any machine, so it needs no Plaza on this one. */
function runningFor(target: string, config: Config): Running | undefined {
  if (!URL.canParse(target)) return findRunning(config)
  try {
    return findRunning(config)
  } catch {
    return undefined
  }
}

function urlOf(target: string, flags: Flags, running: Running | undefined): URL {
  const host = flags.oneOf('host', HOSTS, hostOf(target))
  if (URL.canParse(target)) {
    const url = new URL(target)
    if (!['http:', 'https:'].includes(url.protocol)) throw new UsageError(`"${target}" is not an http(s) URL`)
    return url
  }
  if (!target.startsWith('/'))
    throw new UsageError(`"${target}" is neither a URL nor a path that begins with /`)
  const facts = (running as Running).facts
  const origin = { core: facts.core_url, ads: facts.ads_url, sandbox: facts.ads_sandbox_url }[host]
  // Concatenated as text: a path of `//name` must not become another host.
  return new URL(origin + target)
}

/**
 * Paths of the advertising API begin with its version, an integer like `/12`; `/2` belongs to the
 * core API.
 */
export function hostOf(path: string): (typeof HOSTS)[number] {
  const version = /^\/([0-9]+)(?=[/?]|$)/.exec(path)?.[1]
  return version === undefined || version === CORE_VERSION ? 'core' : 'ads'
}

function bodyOf(flags: Flags): { headers: Record<string, string>; body?: string } {
  const headers: Record<string, string> = { accept: '*/*' }
  const fields = flags.list('form').map((field): Pair => {
    const equals = field.indexOf('=')
    if (equals < 1) throw new UsageError(`--form ${field} must be NAME=VALUE`)
    return [field.slice(0, equals), field.slice(equals + 1)]
  })
  const given = flags.text('body')
  const body =
    fields.length > 0
      ? fields.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
      : given?.startsWith('@')
        ? readFileSync(given.slice(1), 'utf8')
        : given
  if (body !== undefined) headers['content-type'] = fields.length > 0 ? FORM_TYPE : 'application/json'
  for (const line of flags.list('header')) {
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):\s*(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined)
      throw new UsageError(`--header ${line} must be 'NAME: VALUE'`)
    headers[name.toLowerCase()] = value
  }
  return { headers, ...(body !== undefined && { body }) }
}

interface Authorization {
  authorization?: string
  signed?: RequestSignature
}

/** The Authorization header of a request, signed as someone. */
export async function authorizationOf(
  as: Caller,
  outgoing: Outgoing,
  flags: Flags,
  config: Config,
  running: Running | undefined,
): Promise<Authorization> {
  if (as === 'none') return {}
  const keys = await keysOf(as, flags, config)
  if (as === 'basic') return { authorization: basicOf(keys.consumerKey, keys.consumerSecret) }
  if (as === 'app') {
    const app = { consumer_key: keys.consumerKey, consumer_secret: keys.consumerSecret }
    const bearer = await fetchBearer(app, running ?? findRunning(config), vocabularyOf(config))
    return { authorization: `Bearer ${bearer}` }
  }
  const { method, url, headers, body } = outgoing
  const signed = signedCall(
    { contentType: headers['content-type'], body },
    {
      ...keys,
      method,
      url,
      callback: flags.text('callback'),
      verifier: flags.text('verifier'),
      version: !flags.on('no-oauth-version'),
      nonce: flags.text('nonce') ?? randomText(systemRandom, NONCE_LENGTH),
      timestampSeconds: Number(flags.text('timestamp') ?? Math.floor(systemClock.now() / 1000)),
    },
  )
  return { authorization: signed.header, signed }
}

function signedCall(...call: Parameters<typeof signCall>): RequestSignature {
  try {
    return signCall(...call)
  } catch (error) {
    throw error instanceof MalformedForm ? new UsageError('--body is not a well-formed form') : error
  }
}

interface Keys {
  consumerKey: string
  consumerSecret: string
  token?: string
  tokenSecret?: string
}

/** The keys to sign with: those given as flags, otherwise those of the running Plaza. */
async function keysOf(as: Caller, flags: Flags, config: Config): Promise<Keys> {
  const consumerKey = flags.text('consumer-key')
  const consumerSecret = flags.text('consumer-secret')
  const token = flags.text('token')
  const tokenSecret = flags.text('token-secret')
  const wantsToken = as === 'user'
  const hasApp = consumerKey !== undefined && consumerSecret !== undefined
  const hasToken = token !== undefined && tokenSecret !== undefined
  if (hasApp && !wantsToken) return { consumerKey, consumerSecret }
  if (hasApp && hasToken) return { consumerKey, consumerSecret, token, tokenSecret }
  if (hasApp) throw new UsageError('--consumer-key needs --token and --token-secret, or --as client')

  const { app, user } = await findIdentities(config, flags, flags.text('user'))
  if (!app) throw new Error('The store has no app. Create one with "plaza app create".')
  const own = { consumerKey: app.consumer_key, consumerSecret: app.consumer_secret }
  if (!wantsToken) return own
  if (hasToken) return { ...own, token, tokenSecret }
  if (!user?.access_token || !user.access_token_secret)
    throw new Error(
      `${user ? `@${user.screen_name}` : 'No user'} has granted the app ${app.id} access: choose with --user and --app, or use --as client.`,
    )
  return { ...own, token: user.access_token, tokenSecret: user.access_token_secret }
}

function asData(outgoing: Outgoing | undefined, signed: RequestSignature | undefined, flags: Flags) {
  return {
    ...(outgoing && { request: outgoing }),
    ...(flags.on('explain') && signed && { explain: explained(signed, flags.on('show-secrets')) }),
  }
}

const dryText = ({ method, url, headers, body }: Outgoing) =>
  [
    `${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['', body]),
  ].join('\n')

/** The body as received: parsing and rewriting JSON would round 64-bit ids. */
function answerAsJson({ status, headers, body }: Answer, more: object): string {
  const text = isUtf8(body) ? body.toString() : undefined
  const members = Object.entries({ ...more, status, headers }).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  )
  if (text === undefined) members.push(`"body_base64":"${body.toString('base64')}"`)
  else members.push(`"body":${isJson(text) ? text.trim() : JSON.stringify(text)}`)
  return `{${members.join(',')}}`
}

/** Writes only the body to standard output, unless more is requested. */
function printAnswer({ status, headers, body }: Answer, flags: Flags): void {
  const before = flags.on('explain') ? '\n' : ''
  if (flags.on('include')) {
    const lines = Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one) => `${name}: ${one}`),
    )
    process.stdout.write(`${[`${before}HTTP ${status}`, ...lines].join('\n')}\n\n`)
  } else {
    process.stderr.write(`HTTP ${status}\n`)
    process.stdout.write(before)
  }
  process.stdout.write(body)
  // Otherwise the prompt of the terminal would follow on the same line.
  if (process.stdout.isTTY && body.length > 0 && body.at(-1) !== NEWLINE) process.stdout.write('\n')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
