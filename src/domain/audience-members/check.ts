import { hash } from 'node:crypto'
import { beginningOf } from '../../platform/common/cut-text.ts'
import { readJson } from '../../platform/common/exact-json.ts'
import { instantText, parseInstant } from '../../platform/common/instant.ts'
import { type Message, msg } from '../../platform/http/message.ts'
import type { AdsError } from '../../platform/protocols/ads/codes.ts'
import { BatchWriter, DELETE, KINDS, type Kind, MAX_KEYS_OF_PERSON, UPDATE } from './packed.ts'

/** Operations of one request (interface, Limits). */
export const MAX_OPERATIONS = 2_500
const MAX_PARTNER_ID_LENGTH = 255
const DEFAULT_MONTHS = 13

/** The kinds of targets of an upload. They accept different keys and times. */
export type Target = 'audience' | 'do not reach list'

/** The words of a body that a vocabulary may rename. */
export const BODY_WORDS = [
  'operation_type',
  'params',
  'users',
  'effective_at',
  'expires_at',
  'Update',
  'Delete',
  ...KINDS,
] as const

export type Words = Readonly<Record<(typeof BODY_WORDS)[number], string>>

/** An operation as it was understood, for the reply. */
export interface Understood {
  type: string
  users: number
  /** Epoch milliseconds; undefined if it was not sent. */
  expiresAt: number | undefined
}

/** The result of checking a body. */
export type Checked =
  | { kind: 'no JSON'; quoted: string }
  /** The request as a whole is wrong. */
  | { kind: 'refused'; error: AdsError }
  /** Some operations are wrong: a list of errors for each. */
  | { kind: 'wrong'; operations: AdsError[][]; understood: Understood[] }
  | { kind: 'fine'; batch: Buffer; users: number; keys: number; understood: Understood[] }

const KEYS_OF: Readonly<Record<Target, readonly Kind[]>> = {
  audience: KINDS,
  'do not reach list': ['email', 'phone_number'],
}

const HASH = /^[0-9a-fA-F]{64}$/
/** Approximate ratio of the size of a packed key to its size in the body. */
const PACKED_SHARE = 2

/** Checks the body of an upload of users, and packs it (interface, Custom audience users body). */
export function checkUsers(
  body: Uint8Array,
  { target, now, words }: { target: Target; now: number; words: Words },
): Checked {
  const read = readJson(body)
  if (read.kind === 'no JSON') return read
  const { json } = read
  if (!Array.isArray(json)) return refused(msg`The body is not a valid Seq: a list of operations`)
  if (json.length === 0) return refused(msg`A minimum of 1 items must be provided for body`)
  if (json.length > MAX_OPERATIONS)
    return refused(
      msg`A maximum of ${MAX_OPERATIONS} operations may be sent, got ${json.length}`,
      'REQUEST_TOO_COMPLEX',
    )
  const check = new Check(target, now, words, Math.ceil(body.length / PACKED_SHARE))
  for (const one of json) check.operation(one)
  return check.result()
}

const refused = (message: Message, code: AdsError['code'] = 'INVALID_PARAMETER'): Checked => ({
  kind: 'refused',
  error: { code, message, parameter: 'body', renamed: true },
})

/** 13 calendar months after a time. If the month has no such day, its last day. */
function defaultExpiry(now: number): number {
  const from = new Date(now)
  const first = new Date(now)
  first.setUTCDate(1)
  first.setUTCMonth(from.getUTCMonth() + DEFAULT_MONTHS)
  const days = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(from.getUTCDate(), days))
  return first.getTime()
}

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const seconds = (ms: number) => Math.floor(ms / 1000)

/** The check of one body. Packing stops at the first error. */
class Check {
  readonly #target: Target
  readonly #now: number
  readonly #latest: number
  readonly #words: Words
  readonly #kinds: readonly { kind: number; word: string; hashed: boolean }[]
  readonly #writer: BatchWriter
  readonly #errors: AdsError[][] = []
  readonly #understood: Understood[] = []
  #anyWrong = false

  constructor(target: Target, now: number, words: Words, expectedBytes: number) {
    this.#target = target
    this.#now = now
    this.#latest = defaultExpiry(now)
    this.#words = words
    this.#writer = new BatchWriter(expectedBytes)
    this.#kinds = KEYS_OF[target].map((name) => ({
      kind: KINDS.indexOf(name),
      word: words[name],
      hashed: name !== 'partner_user_id',
    }))
  }

  result(): Checked {
    const understood = this.#understood
    if (this.#anyWrong) return { kind: 'wrong', operations: this.#errors, understood }
    const { users, keys } = this.#writer
    return { kind: 'fine', batch: this.#writer.finish(), users, keys, understood }
  }

  operation(one: unknown): void {
    const errors: AdsError[] = []
    const type = this.#type(one, errors)
    const params = this.#params(one, errors)
    const times = params ? this.#times(params, errors) : undefined
    const users = params ? this.#users(params, errors) : undefined
    const understood: Understood = { type, users: users?.length ?? 0, expiresAt: times?.sentExpiry }
    if (errors.length === 0 && users && times) {
      const { effective, expires } = times
      this.#writer.operation(type === this.#words.Delete ? DELETE : UPDATE, effective, expires)
      for (const user of users) if (!this.#pack(user, errors)) break
    }
    if (errors.length > 0) this.#anyWrong = true
    this.#errors.push(errors)
    this.#understood.push(understood)
  }

  #type(one: unknown, errors: AdsError[]): string {
    const { operation_type: name, Update, Delete } = this.#words
    if (!isObject(one)) {
      errors.push(wrong('operation', msg`Expected an object with ${name} and ${this.#words.params}`))
      return ''
    }
    const given = one[name]
    if (given === Update || given === Delete) return given
    if (given === undefined) errors.push(missing(name))
    else
      errors.push(
        wrong(name, msg`Expected a value in ${Update}, ${Delete}, got "${shown(given)}" for ${name}`),
      )
    return typeof given === 'string' ? beginningOf(given, 100) : ''
  }

  #params(one: unknown, errors: AdsError[]): Members | undefined {
    if (!isObject(one)) return undefined
    const { params: name } = this.#words
    const given = one[name]
    if (isObject(given)) return given
    errors.push(given === undefined ? missing(name) : wrong(name, msg`Expected an object for ${name}`))
    return undefined
  }

  #times(params: Members, errors: AdsError[]) {
    const { effective_at: effectiveName, expires_at: expiresName } = this.#words
    const isList = this.#target === 'do not reach list'
    if (isList && params[effectiveName] !== undefined)
      errors.push(wrong(effectiveName, msg`setting ${effectiveName} is not allowed`))
    const sentEffect = isList ? undefined : time(params, effectiveName, errors)
    const sentExpiry = time(params, expiresName, errors)
    const effective = sentEffect ?? this.#now
    const expires = sentExpiry ?? this.#latest
    if (expires <= effective)
      errors.push(
        wrong(
          expiresName,
          msg`Expected a time later than ${sentEffect === undefined ? 'now' : effectiveName} ${instantText(effective)}, got "${instantText(expires)}" for ${expiresName}`,
        ),
      )
    if (isList && expires > this.#latest)
      errors.push(
        wrong(
          expiresName,
          msg`Expected at most ${DEFAULT_MONTHS} months after the request, got "${instantText(expires)}" for ${expiresName}`,
        ),
      )
    return { effective: Math.max(0, seconds(effective)), expires: seconds(expires), sentExpiry }
  }

  #users(params: Members, errors: AdsError[]): readonly unknown[] | undefined {
    const { users: name } = this.#words
    const given = params[name]
    if (given === undefined) errors.push(missing(name))
    else if (!Array.isArray(given)) errors.push(wrong(name, msg`Expected a list of objects for ${name}`))
    else if (given.length === 0)
      errors.push(wrong(name, msg`A minimum of 1 items must be provided for ${name}`))
    else return given
    return undefined
  }

  /** Packs one user. Returns false for an invalid one; one error per operation is enough. */
  #pack(user: unknown, errors: AdsError[]): boolean {
    const { users } = this.#words
    const before = this.#writer.keys
    const stop = (message: Message) => {
      errors.push(wrong(users, message))
      return false
    }
    if (!isObject(user)) return stop(msg`Expected an object with lists of keys in ${users}`)
    this.#writer.user()
    for (const { kind, word, hashed } of this.#kinds) {
      const values = user[word]
      if (values === undefined) continue
      if (!Array.isArray(values)) return stop(msg`Expected a list for ${word} in ${users}`)
      if (this.#writer.keys - before + values.length > MAX_KEYS_OF_PERSON)
        return stop(msg`A maximum of ${MAX_KEYS_OF_PERSON} keys may be given for one of ${users}`)
      for (const value of values) {
        const key = hashed ? hashOf(value) : partnerHash(value)
        if (key === undefined)
          return stop(
            msg`Expected ${hashed ? 'a SHA-256 in 64 hexadecimal digits' : 'a text'} for ${word} in ${users}, got "${shown(value)}"`,
          )
        this.#writer.key(kind, key)
      }
    }
    if (this.#writer.keys > before) return true
    return stop(msg`Expected a key of ${this.#kinds.map(({ word }) => word).join(', ')} in each of ${users}`)
  }
}

const wrong = (parameter: string, message: Message): AdsError => ({
  code: 'INVALID_PARAMETER',
  message,
  parameter,
  renamed: true,
})

const missing = (parameter: string): AdsError => ({
  code: 'MISSING_PARAMETER',
  message: msg`"${parameter}" is a required parameter`,
  parameter,
  renamed: true,
})

/** A value as messages show it. Nested values are not shown: they may be too deep for the stack. */
const shown = (value: unknown) =>
  typeof value === 'object' && value !== null
    ? Array.isArray(value)
      ? '[…]'
      : '{…}'
    : beginningOf(String(value), 100)

function time(params: Members, name: string, errors: AdsError[]): number | undefined {
  const given = params[name]
  if (given === undefined || given === null) return undefined
  const parsed = typeof given === 'string' ? parseInstant(given) : undefined
  if (parsed === undefined) errors.push(wrong(name, msg`Expected time, got "${shown(given)}" for ${name}`))
  return parsed
}

const hashOf = (value: unknown) => (typeof value === 'string' && HASH.test(value) ? value : undefined)

/** A partner's own id is any text. Its hash is stored, so that all keys have the same form. */
function partnerHash(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || value.length > MAX_PARTNER_ID_LENGTH) return undefined
  return value.isWellFormed() ? hash('sha256', value, 'hex') : undefined
}
