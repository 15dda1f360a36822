import { isUtf8 } from 'node:buffer'
import { isoTime } from '../../platform/common/time.ts'
import { type JournalRecord, type RawHeaders, type StoredBody, UNKNOWN_LENGTH } from './journal.ts'
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

const PAGE = /^text\/html/i
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
export const requestOf = ({ requestHeaders, requestBody, requestLength }: JournalRecord): ShownMessage => {
  const headers = pairsOf(requestHeaders)
  return {
    headers: maskedHeaders(headers),
    ...bodyOf(requestBody, requestLength, { contentType: typeOf(headers), of: 'request' }),
  }
}

/** The reply of an entry, without secrets; for a stream with its last lines. */
export function replyOf({ replyHeaders, replyBody, replyLength, stream }: JournalRecord): ShownMessage {
  const headers = Object.entries(replyHeaders).flatMap(([name, value]): ShownHeader[] =>
    (Array.isArray(value) ? value : [value]).map((one) => [name, String(one)]),
  )
  const shown = maskedHeaders(headers)
  if (stream) return { headers: shown, body: stream.last.join('\n') }
  return {
    headers: shown,
    ...bodyOf(replyBody, replyLength, { contentType: typeOf(headers), of: 'reply' }),
  }
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

function bodyOf(
  stored: StoredBody,
  length: number,
  { contentType, of }: { contentType: string; of: 'request' | 'reply' },
): Omit<ShownMessage, 'headers'> {
  if (length === 0) return {}
  if (length === UNKNOWN_LENGTH || stored === undefined)
    return { body_omitted: 'The body was sent in pieces and is not kept.' }
  const body_bytes = length
  if (MEDIA.test(contentType)) return { body_bytes, body_omitted: `Media: ${contentType}.` }
  // Pages contain codes and hidden fields that act for a user.
  if (of === 'reply' && PAGE.test(contentType)) return { body_bytes, body_omitted: 'Pages are not shown.' }
  const kept = Buffer.byteLength(stored)
  // A cut may be within a character.
  if (Buffer.isBuffer(stored) && kept === length && !isUtf8(stored))
    return { body_bytes, body_omitted: 'The body is not text.' }
  return {
    body: maskedBody(stored.toString(), contentType, of),
    body_bytes,
    ...(kept < length && { body_omitted: `Only the first ${kept} bytes are kept.` }),
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
