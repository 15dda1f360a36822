import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TimeSource } from '../../platform/common/clock.ts'
import { parsePairs } from '../../platform/http/input/form.ts'
import type { Sealer } from '../../platform/storage/seal.ts'
import { ConsoleKeys, endOfSession, isFromConsole, newSession, sessionOf } from './access.ts'

export interface SignInParts {
  readonly sealer: Sealer
  /** The machine's: commands create keys with it. */
  readonly clock: TimeSource
}

const FORM = 'application/x-www-form-urlencoded'
const MAX_FORM_BYTES = 4_096
const MAX_FAILURES = 10
const WINDOW_MS = 60_000

/**
 * `POST /sign-in` with a key, and `POST /sign-out`: both redirect to the first page. `GET /session`
 * says whether the browser has a session.
 */
export function mountSignIn(server: FastifyInstance, { sealer, clock }: SignInParts): void {
  const keys = new ConsoleKeys({ sealer, clock })
  const failures = new Failures(clock)
  server.get('/session', async (request, reply) => {
    const isSignedIn = sessionOf(request.headers, { sealer, now: clock.now() }) !== undefined
    return reply.header('cache-control', 'no-store').send({ status: isSignedIn ? 'signed in' : 'none' })
  })
  server.register(async (forms) => {
    forms.addContentTypeParser(
      FORM,
      { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
      (_request, body, done) => done(null, body),
    )
    forms.post('/sign-in', async (request, reply) => {
      if (!isFromConsole(request.headers)) return reject(reply, 403, 'foreign')
      if (failures.isOver()) return reject(reply, 429, 'too many attempts')
      if (!keys.use(keyIn(request))) {
        failures.count()
        return reject(reply, 403, 'invalid key')
      }
      return redirect(reply, newSession({ sealer, now: clock.now() }))
    })
    forms.post('/sign-out', async (request, reply) =>
      isFromConsole(request.headers) ? redirect(reply, endOfSession) : reject(reply, 403, 'foreign'),
    )
  })
}

const keyIn = ({ body }: FastifyRequest): string => {
  const pairs = parsePairs(typeof body === 'string' ? body : '') ?? []
  return pairs.find(([name]) => name === 'key')?.[1].trim() ?? ''
}

const reject = (reply: FastifyReply, code: number, status: string) =>
  reply.code(code).header('cache-control', 'no-store').send({ status })

const redirect = (reply: FastifyReply, cookie: string) =>
  reply.code(303).headers({ 'set-cookie': cookie, location: '/', 'cache-control': 'no-store' }).send()

/** The wrong keys of the last minute, from all callers: it is one machine. */
class Failures {
  readonly #clock: TimeSource
  #since = 0
  #count = 0

  constructor(clock: TimeSource) {
    this.#clock = clock
  }

  isOver(): boolean {
    return this.#clock.now() - this.#since < WINDOW_MS && this.#count >= MAX_FAILURES
  }

  count(): void {
    const now = this.#clock.now()
    if (now - this.#since >= WINDOW_MS) {
      this.#since = now
      this.#count = 0
    }
    this.#count++
  }
}
