import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type EmitParts, emitActivity, Unseen } from '../../delivery/activities/emit.ts'
import { Incomplete, WrongPayload } from '../../delivery/activities/over.ts'
import { emittedOf, kindCalled, misfit } from '../../delivery/activities/wanted.ts'
import { deliveriesAfter, placeAfter } from '../../delivery/webhooks/listing.ts'
import { deliveryTarget } from '../../delivery/webhooks/queries.ts'
import { RESEND_PROBLEMS, resendDelivery } from '../../delivery/webhooks/resend.ts'
import { SIGNATURE_HEADER } from '../../delivery/webhooks/signature.ts'
import type { TimeSource } from '../../platform/common/clock.ts'
import { sameText } from '../../platform/common/same-text.ts'
import { parsePairs } from '../../platform/http/input/form.ts'
import type { Vocabulary } from '../../platform/http/vocabulary.ts'
import { errorPage, pageHeaders } from '../../platform/protocols/page/layout.ts'
import type { Sealer } from '../../platform/storage/seal.ts'
import type { Store } from '../../platform/storage/store.ts'
import { consoleFormToken, isFromConsole, sessionOf } from './access.ts'
import { pageOfWebhooks } from './queries.ts'
import { deliveriesView, emitView, signInView, webhooksView } from './views.ts'

/** The state that pages read and change. */
export interface PageParts {
  readonly store: Store
  readonly sealer: Sealer
  readonly clock: TimeSource
  readonly vocabulary: Vocabulary
  /** What emitting an activity needs. */
  readonly emitting: EmitParts
  onError(error: unknown): void
}

/** The response to a signed-in user. */
interface Answer {
  readonly status?: number
  /** A page, or a redirect. */
  readonly body?: string
  readonly location?: string
}

/** A request of a signed-in user. */
interface PageRequest {
  readonly params: Readonly<Record<string, string>>
  /** From the query or the form. If a name is repeated, the first value counts. */
  readonly values: Readonly<Record<string, string | undefined>>
  readonly formToken: string
}

type Page = (asked: PageRequest, parts: PageParts) => Promise<Answer> | Answer

const MAX_FORM_BYTES = 262_144
const WEBHOOKS_SHOWN = 50

const webhooksPage: Page = async ({ values }, { store }) => {
  const webhooks = await store.all(pageOfWebhooks, { after: values.after ?? '', limit: WEBHOOKS_SHOWN })
  const last = webhooks.length === WEBHOOKS_SHOWN ? webhooks.at(-1) : undefined
  return { body: webhooksView(webhooks, last && `/webhooks?after=${last.id}`) }
}

const emitForm: Page = ({ formToken }, { vocabulary }) => ({
  body: emitView({ formToken, vocabulary, typed: {} }),
})

/** Mounts the pages: webhooks with their deliveries, and a form that emits an event. */
export function mountPages(server: FastifyInstance, parts: PageParts): void {
  server.register(async (pages) => {
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
      (_request, body, done) => done(null, body),
    )
    pages.setErrorHandler((error: { statusCode?: number }, _request, reply) => {
      const status = error.statusCode ?? 500
      if (status >= 500) parts.onError(error)
      return send(reply, {
        status,
        body: errorPage(
          'Something went wrong',
          status >= 500 ? 'See the log for details.' : 'The console does not support this request.',
        ),
      })
    })
    const get = (path: string, page: Page) =>
      pages.get(path, async (request, reply) => answer(request, reply, { page, parts }))
    const post = (path: string, page: Page) =>
      pages.post(path, async (request, reply) => answer(request, reply, { page, parts }))
    get('/webhooks', webhooksPage)
    get('/webhooks/:webhook', deliveriesPage)
    post('/webhooks/:webhook/deliveries/:seq/resend', resendPage)
    get('/emit', emitForm)
    post('/emit', emitPage)
  })
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { page, parts }: { page: Page; parts: PageParts },
) {
  const { sealer, clock } = parts
  const isForm = request.method === 'POST'
  if (isForm && !isFromConsole(request.headers)) return foreign(reply)
  const session = sessionOf(request.headers, { sealer, now: clock.now() })
  if (session === undefined) return send(reply, { status: 401, body: signInView(false) })
  const values = valuesOf(request)
  const params = request.params as Readonly<Record<string, string>>
  if (!values || Object.values(params).some(hasNul)) return send(reply, { status: 400, body: UNREADABLE })
  const formToken = consoleFormToken(session, sealer)
  if (isForm && !sameText(values.form_token ?? '', formToken)) return foreign(reply)
  return send(reply, await page({ params, values, formToken }, parts))
}

const foreign = (reply: FastifyReply) =>
  send(reply, {
    status: 403,
    body: errorPage('Not sent', 'This form was not sent from the console. Go back and try again.'),
  })

/** PostgreSQL rejects text with a null character, so it cannot be looked up. */
const hasNul = (text: string) => text.includes('\0')

const UNREADABLE = errorPage(
  'Something went wrong',
  'A value in the request is invalid: it is not UTF-8, or contains a null character.',
)

/** The values of a form or a query; undefined when they cannot be parsed. */
function valuesOf(request: FastifyRequest): Readonly<Record<string, string | undefined>> | undefined {
  const start = request.url.indexOf('?')
  const query = start === -1 ? '' : request.url.slice(start + 1)
  const pairs = parsePairs(request.method === 'POST' ? String(request.body ?? '') : query)
  if (!pairs || pairs.some((pair) => pair.some(hasNul))) return undefined
  return Object.fromEntries(pairs.toReversed())
}

function send(reply: FastifyReply, { status, body = '', location }: Answer) {
  for (const [name, value] of Object.entries(pageHeaders())) reply.header(name, value)
  // Deliveries may be private, so browsers must not cache the pages.
  reply.header('cache-control', 'no-store')
  if (location !== undefined) reply.header('location', location)
  return reply.code(status ?? (location === undefined ? 200 : 303)).send(body)
}

const DELIVERIES_SHOWN = 20

const nothing = (what: string): Answer => ({
  status: 404,
  body: errorPage('Not found', `There is no such ${what}.`),
})

/** The number of a delivery; undefined when the text is not one. */
const seqOf = (text: string) => (/^[0-9]{1,15}$/.test(text) ? Number(text) : undefined)

/** GET /webhooks/{webhook}: its deliveries, newest first. */
async function deliveriesPage(
  { params, values, formToken }: PageRequest,
  { store, vocabulary }: PageParts,
  failed?: string,
): Promise<Answer> {
  const { webhook = '' } = params
  const target = await store.first(deliveryTarget, { webhook })
  if (!target) return nothing('webhook')
  const before = values.before === undefined ? undefined : seqOf(values.before)
  const place =
    values.before !== undefined && before === undefined ? undefined : await placeAfter(store, before)
  if (!place) return nothing('delivery')
  const rows = await deliveriesAfter(store, { webhook, place, limit: DELIVERIES_SHOWN })
  const last = rows.length === DELIVERIES_SHOWN ? rows.at(-1) : undefined
  const body = deliveriesView({
    webhook: { id: webhook, url: target.url },
    deliveries: rows,
    next: last && `/webhooks/${webhook}?before=${last.seq}`,
    formToken,
    failed,
    signatureHeader: vocabulary.header(SIGNATURE_HEADER),
  })
  return { status: failed === undefined ? 200 : 409, body }
}

/** POST /webhooks/{webhook}/deliveries/{seq}/resend: sends a delivery again. */
async function resendPage(asked: PageRequest, parts: PageParts): Promise<Answer> {
  const { webhook = '', seq: text = '' } = asked.params
  const seq = seqOf(text)
  if (seq === undefined) return nothing('delivery')
  const problem = await resendDelivery(parts.store, { seq, webhook })
  if (problem === undefined) return { location: `/webhooks/${encodeURIComponent(webhook)}` }
  if (problem === 'no delivery') return nothing('delivery')
  return deliveriesPage(asked, parts, `Not sent: ${RESEND_PROBLEMS[problem]}.`)
}

/** The input of the form cannot be emitted. */
class Refused extends Error {}

/** POST /emit: emits the input of the form, like `plaza emit`. */
async function emitPage({ values: typed, formToken }: PageRequest, parts: PageParts): Promise<Answer> {
  const page = { formToken, vocabulary: parts.vocabulary, typed }
  try {
    const emitted = await emitTyped(typed, parts)
    return { body: emitView({ ...page, emitted }) }
  } catch (error) {
    if (error instanceof Refused) return { status: 400, body: emitView({ ...page, failed: error.message }) }
    throw error
  }
}

const LABELS = { user: 'a user', text: 'a text', app: 'an app', direction: 'a direction' } as const

async function emitTyped(
  typed: PageRequest['values'],
  { store, vocabulary, emitting }: PageParts,
): Promise<string> {
  const filled = (name: string) => typed[name]?.trim() || undefined
  const kind = kindCalled(filled('event_type') ?? '', vocabulary)
  if (!kind) throw new Refused('There is no such event type.')
  const [user, text, app, direction] = ['user', 'text', 'app', 'direction'].map(filled)
  const wanted = { user, text, app, direction }
  const wrong = misfit(kind, wanted, (member, isNeeded) => (isNeeded ? LABELS[member] : member))
  if (wrong !== undefined) throw new Refused(`${vocabulary.name(kind.name)} ${wrong}.`)
  const over = overOf(filled('payload'))
  const emitted = await emittedOf(kind, wanted, store)
  if (typeof emitted === 'string') throw new Refused(emitted)
  try {
    await emitActivity({ ...emitted, ...over }, emitting)
  } catch (error) {
    if (error instanceof Unseen || error instanceof Incomplete) throw new Refused(error.message)
    throw error instanceof WrongPayload ? new Refused(`Payload: ${error.faults.join('; ')}`) : error
  }
  return vocabulary.name(kind.name)
}

function overOf(text: string | undefined): { over?: unknown } {
  if (text === undefined) return {}
  try {
    return { over: JSON.parse(text) as unknown }
  } catch (error) {
    throw new Refused(`Payload: ${(error as Error).message}`)
  }
}
