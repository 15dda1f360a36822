import { isoTime } from '../../platform/common/time.ts'
import { VERSION } from '../../platform/common/version.ts'
import { replyOf, requestOf, type ShownHeader } from './entry.ts'
import { headerOf } from './explain.ts'
import type { JournalRecord } from './journal.ts'
import { maskedUrl } from './mask.ts'

/** The absolute URL of an entry, without secrets. */
export function urlOf(record: JournalRecord): string {
  const url = maskedUrl(record.url)
  return record.kind === 'outgoing'
    ? url
    : `${record.scheme}://${headerOf(record, 'host') ?? 'localhost'}${url}`
}

/** Entries as an HTTP Archive (HAR 1.2), without secrets. */
export const harOf = (records: readonly JournalRecord[]) => ({
  log: {
    version: '1.2',
    creator: { name: 'Plaza', version: VERSION },
    entries: records.map(harEntry),
  },
})

function harEntry(record: JournalRecord) {
  const request = requestOf(record)
  const reply = replyOf(record)
  const url = urlOf(record)
  const query = URL.canParse(url) ? [...new URL(url).searchParams] : []
  return {
    startedDateTime: isoTime(record.timeMs),
    time: record.durationMs,
    request: {
      method: record.method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: named(request.headers),
      queryString: named(query),
      headersSize: -1,
      bodySize: request.body_bytes ?? 0,
      ...(request.body !== undefined && {
        postData: { mimeType: contentType(request.headers), text: request.body },
      }),
    },
    response: {
      status: record.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: named(reply.headers),
      redirectURL: valueFor(reply.headers, 'location') ?? '',
      headersSize: -1,
      bodySize: reply.body_bytes ?? -1,
      content: {
        size: reply.body_bytes ?? 0,
        mimeType: contentType(reply.headers),
        ...(reply.body !== undefined && { text: reply.body }),
      },
    },
    cache: {},
    timings: { send: 0, wait: record.durationMs, receive: 0 },
    comment: record.id,
  }
}

const named = (pairs: readonly (readonly [string, string])[]) =>
  pairs.map(([name, value]) => ({ name, value }))

const valueFor = (headers: readonly ShownHeader[], wanted: string) =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1]

const contentType = (headers: readonly ShownHeader[]) => valueFor(headers, 'content-type') ?? ''

/** Headers that the client of an exported request sets itself. */
const OWN_HEADERS = new Set([
  ...['accept-encoding', 'connection', 'content-length', 'cookie', 'host', 'transfer-encoding'],
  'user-agent',
])

const sentHeaders = (record: JournalRecord): ShownHeader[] =>
  requestOf(record).headers.filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()))

/** An entry as a curl command. Secrets are masked: replace them. */
export function curlOf(record: JournalRecord): string {
  const { body } = requestOf(record)
  const parts = [
    `curl -X ${record.method} ${quoted(urlOf(record))}`,
    ...sentHeaders(record).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${quoted(body)}`]),
  ]
  return `${parts.join(' \\\n  ')}\n`
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/**
 * An entry as a test for `node --test`: it sends the request and expects the status and the body
 * of the reply. Secrets are masked: replace them.
 */
export function testOf(record: JournalRecord): string {
  const { body } = requestOf(record)
  const reply = replyOf(record)
  const isJson = /json/.test(contentType(reply.headers)) && isJsonText(reply.body)
  const options = {
    method: record.method,
    headers: Object.fromEntries(sentHeaders(record)),
    ...(body !== undefined && { body }),
  }
  return [
    "import assert from 'node:assert/strict'",
    "import { test } from 'node:test'",
    '',
    `test(${JSON.stringify(`${record.route || `${record.method} ${maskedUrl(record.url)}`} is answered with ${record.status}`)}, async () => {`,
    `  const response = await fetch(${JSON.stringify(urlOf(record))}, ${indented(options)})`,
    `  assert.equal(response.status, ${record.status})`,
    ...(isJson
      ? [`  assert.deepEqual(await response.json(), ${indented(JSON.parse(reply.body as string))})`]
      : []),
    '})',
    '',
  ].join('\n')
}

const indented = (value: unknown) => JSON.stringify(value, undefined, 2).replaceAll('\n', '\n  ')

function isJsonText(text: string | undefined): boolean {
  try {
    JSON.parse(text ?? '')
    return true
  } catch {
    return false
  }
}
