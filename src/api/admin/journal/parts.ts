import { type Static, Type } from 'typebox'
import { parseInstant } from '../../../platform/common/instant.ts'
import { invalidFor } from '../../../platform/http/errors.ts'
import { msg } from '../../../platform/http/message.ts'
import { choice, closedComponent, closedObject, text, time } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { replyOf, requestOf, summaryOf } from '../../../workbench/journal/entry.ts'
import { explainEntry } from '../../../workbench/journal/explain.ts'
import { type JournalFilter, STATUS_PATTERN } from '../../../workbench/journal/filter.ts'
import type { JournalRecord } from '../../../workbench/journal/journal.ts'
import { ROUTE_PATTERN } from '../../../workbench/route-pattern.ts'
import type { SignatureAnalysis } from '../../../workbench/signature/analysis.ts'
import type { AdminDependencies, JournalParts } from '../endpoint.ts'

/** The journal, unless it is switched off. */
export function journalOf({ journal }: AdminDependencies): JournalParts {
  if (journal) return journal
  throw apiError('not found', {
    explanation: 'The journal is switched off. Start Plaza with `--journal on`.',
  })
}

/** The entry with an id. */
export function entryWith(id: string, dependencies: AdminDependencies): JournalRecord {
  const record = journalOf(dependencies).journal.find(id)
  if (record) return record
  throw apiError('not found', {
    explanation: `The journal has no entry "${id}". It keeps the last ones only.`,
  })
}

export const EntryId = text(1, 64, 'The `x-transaction-id` of a request, or the id of an outgoing call.')

/** Conditions on entries; an entry must satisfy all of them. */
export const filterMembers = {
  kind: Type.Optional(choice(['request', 'outgoing', 'stream'], 'What the entry is.')),
  host: Type.Optional(choice(['core', 'ads', 'sandbox'], 'The listener.')),
  route: Type.Optional(
    Type.String({
      pattern: ROUTE_PATTERN,
      description:
        'An endpoint: `POST /2/posts`, `/2/posts` with any method, or with `*` for any text: `GET /2/users/*`.',
    }),
  ),
  status: Type.Optional(
    Type.String({ pattern: STATUS_PATTERN, description: 'The status: `404`, or `4xx` for a class.' }),
  ),
  app_id: Type.Optional(text(1, 19, 'The app of the caller.')),
  user_id: Type.Optional(text(1, 19, 'The user of the caller.')),
  text: Type.Optional(
    text(1, 200, 'Text in the URL, headers, bodies or error, with secrets masked; the case is ignored.'),
  ),
  since: Type.Optional(time('Entries from this time on, on the clock that Plaza shows.')),
  until: Type.Optional(time('Entries before this time.')),
  after: Type.Optional(Type.Integer({ minimum: 0, description: 'Entries after this sequence number.' })),
  before: Type.Optional(Type.Integer({ minimum: 1, description: 'Entries before this sequence number.' })),
}

const Filter = Type.Object(filterMembers)

export function filterOf(
  { since, until, ...members }: Static<typeof Filter>,
  place: 'query' | 'body',
): JournalFilter {
  return { ...members, sinceMs: timeOf('since', since, place), untilMs: timeOf('until', until, place) }
}

/** In epoch milliseconds. */
function timeOf(name: string, value: string | undefined, place: 'query' | 'body'): number | undefined {
  if (value === undefined) return undefined
  const ms = parseInstant(value)
  if (ms !== undefined) return ms
  throw invalidFor('TimeInvalid', msg`\`${name}\` must be a time such as 2026-03-01T12:00:00Z`, {
    place,
    name,
    value,
  })
}

const Caller = closedComponent('JournalCaller', {
  kind: Type.String({ description: 'The kind of authentication: `user`, `app`, `client`, `none`, …' }),
  app_id: Type.Optional(Type.String({ description: 'The app.' })),
  user_id: Type.Optional(Type.String({ description: 'The user.' })),
})

const summaryMembers = {
  id: Type.String({ description: 'The `x-transaction-id` of a request, or the id of an outgoing call.' }),
  sequence: Type.Integer({ description: 'Rises by one with each entry.' }),
  kind: choice(['request', 'outgoing', 'stream'], 'A request, a call to a URL of a user, or a stream.'),
  time: time('When it was answered, on the clock that Plaza shows.'),
  host: Type.Optional(Type.String({ description: 'The listener; absent for outgoing calls.' })),
  route: Type.String({ description: 'The endpoint; empty if the request matches none.' }),
  method: Type.String({ description: 'The HTTP method.' }),
  url: Type.String({ description: 'The target of a request, or the URL of an outgoing call.' }),
  caller: Type.Optional(Caller),
  status: Type.Optional(Type.Integer({ description: 'Absent if an outgoing call had no answer.' })),
  failure: Type.Optional(Type.String({ description: 'Why an outgoing call had no answer.' })),
  duration_ms: Type.Number({ description: 'From the request to its reply.' }),
  error: Type.Optional(
    closedObject({
      cause: Type.String({ description: 'The cause of the error.' }),
      detail: Type.String({ description: 'What is known about it. Clients do not receive it.' }),
    }),
  ),
  stream: Type.Optional(
    closedObject({
      lines: Type.Integer({ description: 'Lines sent so far, without heartbeats.' }),
      open: Type.Boolean({ description: 'Whether the connection is still open.' }),
      ended_after_ms: Type.Optional(Type.Integer({ description: 'How long it was open.' })),
    }),
  ),
}

/** An entry in lists. */
export const JournalSummary = closedComponent('JournalSummary', summaryMembers)

const Message = closedComponent('JournalMessage', {
  headers: Type.Array(Type.Array(Type.String(), { minItems: 2, maxItems: 2 }), {
    description: 'Pairs of a name and a value, in their order. Secrets are masked.',
  }),
  body: Type.Optional(
    Type.String({ description: 'The body, with secrets masked; of a stream, its last lines.' }),
  ),
  body_bytes: Type.Optional(Type.Integer({ description: 'The length of the whole body.' })),
  body_omitted: Type.Optional(Type.String({ description: 'Why the body, or its end, is missing.' })),
})

/** A signature beside the expected one. */
export const SignatureObject = closedComponent('SignatureAnalysis', {
  matches: Type.Boolean({ description: 'Whether the signature is right.' }),
  expected_base_string: Type.String({ description: 'What the client must sign, with secrets masked.' }),
  client_base_string: Type.Optional(
    Type.String({ description: 'What the client signed, if a known mistake explains its signature.' }),
  ),
  mistakes: Type.Array(Type.String(), { description: 'What the client did wrong, in sentences.' }),
  first_difference: Type.Optional(
    Type.Integer({ description: 'The index of the character from which the base strings differ.' }),
  ),
})

export const signatureObject = (analysis: SignatureAnalysis) => ({
  matches: analysis.matches,
  expected_base_string: analysis.expectedBaseString,
  ...(analysis.clientBaseString !== undefined && { client_base_string: analysis.clientBaseString }),
  mistakes: [...analysis.mistakes],
  ...(analysis.firstDifference !== undefined && { first_difference: analysis.firstDifference }),
})

/** An entry with everything. */
export const JournalEntry = closedComponent('JournalEntry', {
  ...summaryMembers,
  request: Message,
  response: Message,
  explanation: Type.Array(Type.String(), { description: 'Why it was answered like this, in sentences.' }),
  signature: Type.Optional(SignatureObject),
})

export async function entryObject(record: JournalRecord, { explaining }: JournalParts) {
  const { sentences, signature } = await explainEntry(record, explaining)
  return {
    ...summaryOf(record),
    request: requestOf(record),
    response: replyOf(record),
    explanation: [...sentences],
    ...(signature && { signature: signatureObject(signature) }),
  }
}

export const SUMMARY = {
  id: '5f1e09a300000001',
  sequence: 12,
  kind: 'request' as const,
  time: '2026-03-01T12:00:00.000Z',
  host: 'core',
  route: 'GET /2/posts/{id}',
  method: 'GET',
  url: '/2/posts/1900000000000000001',
  status: 401,
  duration_ms: 1.4,
  error: { cause: 'could not authenticate', detail: 'signature mismatch' },
}

export const ENTRY = {
  ...SUMMARY,
  request: { headers: [['host', '127.0.0.1:8443']] },
  response: { headers: [['content-type', 'application/problem+json']], body: '{}', body_bytes: 2 },
  explanation: [
    'GET /2/posts/1900000000000000001 was rejected with 401: could not authenticate.',
    'The client signed without the token secret.',
  ],
}
