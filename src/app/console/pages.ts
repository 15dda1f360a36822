import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sameText } from '../../platform/common/same-text.ts'
import { parsePairs } from '../../platform/http/input/form.ts'
import { errorPage, pageHeaders } from '../../platform/protocols/page/layout.ts'
import { consoleFormToken, isConsoleKey, isFromConsole, newSession, sessionOf } from './access.ts'
import { deliveriesPage, resendPage } from './deliveries.ts'
import { emitPage } from './emit.ts'
import type { Answer, PageParts, PageRequest } from './page.ts'
import { pageOfWebhooks } from './queries.ts'
import { emitView, signInView, webhooksView } from './views.ts'

type Page = (asked: PageRequest, parts: PageParts) => Promise<Answer> | Answer

const MAX_FORM_BYTES = 262_144
const WEBHOOKS_SHOWN = 50

const webhooksPage: Page = async ({ values }, { store }) => {
  const webhooks = await store.all(pageOfWebhooks, { after: values.after ?? '', limit: WEBHOOKS_SHOWN })
  const last = webhooks.length === WEBHOOKS_SHOWN ? webhooks.at(-1) : undefined
  return { body: webhooksView(webhooks, last && `/?after=${last.id}`) }
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
    pages.post('/sign-in', async (request, reply) => signIn(request, reply, parts))
    const get = (path: string, page: Page) =>
      pages.get(path, async (request, reply) => answer(request, reply, { page, parts }))
    const post = (path: string, page: Page) =>
      pages.post(path, async (request, reply) => answer(request, reply, { page, parts }))
    get('/', webhooksPage)
    get('/webhooks/:webhook', deliveriesPage)
    post('/webhooks/:webhook/deliveries/:seq/resend', resendPage)
    get('/emit', emitForm)
    post('/emit', emitPage)
  })
}

function signIn(request: FastifyRequest, reply: FastifyReply, { sealer, clock }: PageParts) {
  if (!isFromConsole(request.headers)) return foreign(reply)
  const at = { sealer, now: clock.now() }
  if (!isConsoleKey(valuesOf(request)?.key?.trim() ?? '', at))
    return send(reply, { status: 403, body: signInView(true) })
  reply.header('set-cookie', newSession(at))
  return send(reply, { location: '/' })
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
