import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

/** One request and its reply, as a line of a recording. */
export interface Recorded {
  /** Of the test, from the root of the project. */
  file: string
  /** With the names of its suites; empty for requests before the first test. */
  test: string
  /**
   * When it began and ended, counted in events of its process. Others in between ran concurrently.
   */
  span: [number, number]
  /** Request line and headers. */
  request: string[]
  requestBody: string
  /** Status line and headers; `aborted` when the connection ended before the reply. */
  reply: string[]
  replyBody: string
}

/** Longer bodies are kept as their length and hash. */
const MAX_BODY_CHARACTERS = 100_000

export function bodyText(chunks: readonly Buffer[], encoding: string | undefined): string {
  const bytes = decoded(Buffer.concat(chunks), encoding)
  const text = bytes.toString('utf8')
  const isText = Buffer.from(text).equals(bytes)
  if (isText && text.length <= MAX_BODY_CHARACTERS) return text
  return `${bytes.length} bytes, SHA-256 ${createHash('sha256').update(bytes).digest('base64')}`
}

function decoded(bytes: Buffer, encoding: string | undefined): Buffer {
  if (bytes.length === 0) return bytes
  if (encoding === 'br') return brotliDecompressSync(bytes)
  return encoding === 'gzip' ? gunzipSync(bytes) : bytes
}

/**
 * Headers whose value says nothing about behaviour, or follows from the body that is compared
 * anyway.
 */
const DROPPED =
  /^(date|x-response-time|x-connection-hash|content-length|user-agent|connection|keep-alive|accept-language|sec-fetch-mode): .*/i

/** The two halves of an exchange, with everything replaced that differs between runs. */
export function normalized(exchange: Recorded): { request: string; reply: string } {
  const date = exchange.reply.find((line) => /^date: /i.test(line))
  const replace = replacing(date === undefined ? Date.now() : Date.parse(date.slice(6)))
  const half = (head: readonly string[], body: string) =>
    replace([...head.map((line) => line.replace(DROPPED, '$1')), '', body].join('\n')).trimEnd()
  // How much of a body that is too large arrives depends on the timing of its error.
  const isTooLarge = exchange.reply[0]?.startsWith('HTTP/1.1 413 ')
  return {
    request: half(exchange.request, isTooLarge ? '' : exchange.requestBody),
    reply: half(exchange.reply, exchange.replyBody),
  }
}

/** Machine times are in this range. Times of a test's own clock are not, and are compared. */
const REAL_TIME_MS = 3 * 24 * 3_600_000
const EPOCH_MS = 1_288_834_974_657n
const ID_FROM_MS = Date.UTC(2025, 0)
const ID_UNTIL_MS = Date.UTC(2032, 0)

/** Numbers the values of an exchange by their first appearance: equal values stay equal. */
function replacing(recordedMs: number): (text: string) => string {
  const labels = new Map<string, string>()
  const counts = new Map<string, number>()
  const label = (kind: string, value: string): string => {
    const known = labels.get(value)
    if (known !== undefined) return known
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    const made = `<${kind} ${count}>`
    labels.set(value, made)
    return made
  }
  return (text) =>
    RULES.reduce((now, [kind, pattern, isOne]) => {
      return now.replace(pattern, (...match) => {
        const { before = '', value } = match.at(-1) as { before?: string; value: string }
        return isOne(value, recordedMs) ? before + label(kind, value) : match[0]
      })
    }, text)
}

type Rule = [kind: string, pattern: RegExp, isOne: (value: string, recordedMs: number) => boolean]

const always = () => true
const isNear = (timeMs: number, recordedMs: number) => Math.abs(timeMs - recordedMs) < REAL_TIME_MS
const isId = (id: bigint) => {
  const timeMs = Number((id >> 22n) + EPOCH_MS)
  return timeMs > ID_FROM_MS && timeMs < ID_UNTIL_MS
}
const base36 = (text: string) =>
  [...text].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n)

const RULES: readonly Rule[] = [
  ['port', /(?<before>(?:127\.0\.0\.1|localhost|\[::1\])(?::|%3A))(?<value>\d{2,5})\b/gi, always],
  [
    'oauth',
    /(?<before>oauth_(?:nonce|timestamp|signature|token|token_secret|verifier|consumer_key)=\\?"?)(?<value>[\w%.~+/=-]{7,})/g,
    always,
  ],
  [
    'random',
    /(?<before>\b(?:crc_token|nonce|sha256|form_token" value)="?)(?<value>[\w+/-]{16,}(?:=|%3D)*)/g,
    always,
  ],
  ['pin', /(?<before>id="pin">)(?<value>\d{7})/g, always],
  ['credentials', /(?<before>(?:Basic|Bearer) )(?<value>\S{20,})/g, always],
  [
    'time',
    /(?<value>\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z)/g,
    (text, now) => isNear(Date.parse(text), now),
  ],
  [
    'time',
    /(?<![\w.])(?<value>\d{10}|\d{13})(?![\w.])/g,
    (text, now) => isNear(Number(text.padEnd(13, '0')), now),
  ],
  ['id', /(?<![0-9A-Za-z])(?<value>\d{18,19})(?![0-9A-Za-z])/g, (text) => isId(BigInt(text))],
  ['key', /(?<![0-9A-Za-z])(?<value>[0-9a-z]{12})(?![0-9A-Za-z])/g, (text) => isId(base36(text))],
  ['transaction', /(?<before>transaction-id: )(?<value>[0-9a-f]{16})\b/g, always],
  // Names that tests generate.
  ['name', /\b(?<value>[up][0-9a-z]{12}|U_[0-9A-Za-z]{10})\b/g, always],
  ['name', /(?<before>\bAudience(?: |%20|\+))(?<value>[0-9A-Za-z]{8})\b/g, always],
  [
    'hex',
    /(?<![0-9A-Za-z])(?<value>[0-9a-f]{16,128})(?![0-9A-Za-z])/g,
    (text) => /[a-f]/.test(text) && /\d/.test(text),
  ],
  ['random', /(?<value>(?:[0-9A-Za-z_+/-]|%(?:25)*2[BF]){16,}(?:=|%(?:25)*3D){0,2})/g, isRandom],
]

/** Upper and lower case letters and digits mixed: no word looks like that. */
function isRandom(text: string): boolean {
  const classes = text
    .replace(/%(?:25)*[0-9A-F]{2}/g, '')
    .replace(/[a-z]/g, 'a')
    .replace(/[A-Z]/g, 'B')
    .replace(/\d/g, '1')
  let changes = 0
  for (let index = 1; index < classes.length; index++) if (classes[index] !== classes[index - 1]) changes++
  return (
    classes.includes('a') &&
    classes.includes('B') &&
    changes / classes.length > (classes.includes('1') ? 0.2 : 0.35)
  )
}
