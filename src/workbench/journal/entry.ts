import { isUtf8 } from 'node:buffer'
import { isoTime } from '../../platform/common/time.ts'
import type { JournalRecord, RawHeaders, StoredBody } from './journal.ts'
import { maskedBody, maskedHeader, maskedUrl } from './mask.ts'

export type ShownHeader = [name: string, value: string]

/** A request or a reply, without secrets. */
export interface ShownMessage {
  headers: ShownHeader[]
  /** Absent without a body, and for a body that is not shown. */
  body?: string
  body_bytes?: number
  /** Why the body is not shown, or not all of it. */
  body_omitted?: string
}

const MEDIA = /^(?:image|video|audio|multipart)\/|octet-stream|^application\/(?:pdf|zip|gzip)/i

/** The members of an entry that lists show. */
export const summaryOf = (record: JournalRecord) => ({
  id: record.id,
  sequence: record.sequence,
  kind: record.kind,
  time: isoTime(record.timeMs),
  ...(record.host !== '' && { host: record.host }),
  route: record.route,
  method: record.method,
  url: maskedUrl(record.url),
  ...(record.callerKind !== '' && { caller: callerOf(record) }),
  ...(record.status !== undefined && { status: record.status }),
  ...(record.failure !== undefined && { failure: record.failure }),
  duration_ms: Math.round(record.durationMs * 100) / 100,
  ...(record.error && { error: { cause: record.error.reason, detail: record.error.message } }),
  ...(record.stream && { stream: streamOf(record.stream) }),
})

const callerOf = ({ callerKind, appId, userId }: JournalRecord) => ({
  kind: callerKind,
  ...(appId !== undefined && { app_id: appId }),
  ...(userId !== undefined && { user_id: userId }),
})

const streamOf = ({ lines, endedAfterMs }: NonNullable<JournalRecord['stream']>) => ({
  lines,
  open: endedAfterMs === undefined,
  ...(endedAfterMs !== undefined && { ended_after_ms: Math.round(endedAfterMs) }),
})

/** The request of an entry, without secrets. */
export const requestOf = ({ requestHeaders, requestBody }: JournalRecord): ShownMessage => {
  const headers = pairsOf(requestHeaders)
  return { headers: maskedHeaders(headers), ...bodyOf(requestBody, typeOf(headers), 'request') }
}

/** The reply of an entry, without secrets; for a stream with its last lines. */
export function replyOf({ replyHeaders, replyBody, isPage, stream }: JournalRecord): ShownMessage {
  const headers = Object.entries(replyHeaders).flatMap(([name, value]): ShownHeader[] =>
    (Array.isArray(value) ? value : [value]).map((one) => [name, String(one)]),
  )
  const shown = maskedHeaders(headers)
  if (stream) return { headers: shown, body: stream.last.join('\n') }
  // Pages contain codes and hidden fields that act for a user.
  if (isPage && replyBody.length !== 0)
    return { headers: shown, ...lengthOf(replyBody), body_omitted: 'Pages are not shown.' }
  return { headers: shown, ...bodyOf(replyBody, typeOf(headers), 'reply') }
}

export function pairsOf(headers: RawHeaders): ShownHeader[] {
  const pairs: ShownHeader[] = []
  for (let at = 0; at + 1 < headers.length; at += 2)
    pairs.push([String(headers[at]), String(headers[at + 1])])
  return pairs
}

const maskedHeaders = (headers: readonly ShownHeader[]): ShownHeader[] =>
  headers.map(([name, value]) => [name, maskedHeader(name, value)])

const typeOf = (headers: readonly ShownHeader[]): string =>
  headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''

const lengthOf = ({ length }: StoredBody) => (length !== undefined ? { body_bytes: length } : {})

function bodyOf(
  stored: StoredBody,
  contentType: string,
  of: 'request' | 'reply',
): Omit<ShownMessage, 'headers'> {
  const { bytes, length } = stored
  if (length === 0) return {}
  if (bytes === undefined) return { body_omitted: 'The body was sent in pieces and is not kept.' }
  if (MEDIA.test(contentType)) return { ...lengthOf(stored), body_omitted: `Media: ${contentType}.` }
  const isWhole = Buffer.byteLength(bytes) === length
  // A cut may be within a character.
  if (Buffer.isBuffer(bytes) && isWhole && !isUtf8(bytes))
    return { ...lengthOf(stored), body_omitted: 'The body is not text.' }
  return {
    body: maskedBody(bytes.toString(), contentType, of),
    ...lengthOf(stored),
    ...(!isWhole && { body_omitted: `Only the first ${Buffer.byteLength(bytes)} bytes are kept.` }),
  }
}

/** Everything of an entry that a search looks at. */
export function maskedText(record: JournalRecord): string {
  const messages = [requestOf(record), replyOf(record)].flatMap(({ headers, body = '' }) => [
    ...headers.map(([name, value]) => `${name}: ${value}`),
    body,
  ])
  return [record.id, maskedUrl(record.url), record.error?.message ?? '', ...messages].join('\n')
}
