import type { FastifyInstance, FastifyReply } from 'fastify'
import { mountApplication } from './application.ts'
import { type MediaParts, mountMedia } from './media.ts'
import { NotReady } from './not-ready.ts'
import { mountReference, type ReferenceParts } from './reference.ts'
import { mountSignIn, type SignInParts } from './sign-in.ts'

/** The state that the console shows. */
export interface ConsoleParts extends SignInParts, MediaParts {
  /**
   * Checks whether requests can be answered. Resolves to sentences about what does not work
   * nevertheless. Rejects with the reason if they cannot.
   */
  ready(): Promise<readonly string[]>
  caPem: string | undefined
  /** In the Prometheus text format. */
  metrics(): Promise<string>
  version: string
  reference: ReferenceParts
}

/** Load balancers may use HEAD. */
const READ = { exposeHeadRoute: true }

const LOOPBACK_HOST = /^(127\.0\.0\.1|localhost|\[::1\])(:[0-9]+)?$/

/**
 * The console: `/health`, `/ready`, `/metrics`, `/ca.pem` and `/reference` for everyone, and the
 * application, which calls the admin API. It listens on loopback only.
 */
export function mountConsole(server: FastifyInstance, parts: ConsoleParts): void {
  const { ready, caPem, metrics, version } = parts
  // A page on another site can point a host name at this address. Its name is rejected, because it
  // is not ours.
  server.addHook('onRequest', async (request, reply) => {
    if (!LOOPBACK_HOST.test(request.headers.host ?? '')) return reply.code(403).send({ status: 'forbidden' })
    return undefined
  })
  server.get('/health', READ, async () => ({ status: 'ok', version }))
  server.get('/ready', READ, async (_request, reply: FastifyReply) => {
    try {
      const warnings = await ready()
      return { status: 'ready', ...(warnings.length > 0 && { warnings }) }
    } catch (error) {
      return reply.code(503).send(notReady(error))
    }
  })
  server.get('/metrics', READ, async (_request, reply) => {
    try {
      const text = await metrics()
      return reply.type('text/plain; version=0.0.4; charset=utf-8').send(text)
    } catch (error) {
      return reply.code(503).send(notReady(error))
    }
  })
  server.get('/ca.pem', READ, async (_request, reply) => {
    if (caPem === undefined)
      return reply.code(404).send({ status: 'no local authority: the certificate was given' })
    return reply.type('application/x-pem-file').send(caPem)
  })
  mountReference(server, parts.reference)
  mountApplication(server)
  mountMedia(server, parts)
  mountSignIn(server, parts)
}

const notReady = (error: unknown) => ({
  status: 'not ready',
  reason: error instanceof Error ? error.message : String(error),
  ...(error instanceof NotReady && error.details),
})

/**
 * `/health` and `/ready` for a load balancer, on an address that other machines can reach. Accepts
 * any host name, and omits the reason and warnings, which name folders and services.
 */
export function mountHealth(
  server: FastifyInstance,
  { ready, version }: Pick<ConsoleParts, 'ready' | 'version'>,
): void {
  server.get('/health', READ, async () => ({ status: 'ok', version }))
  server.get('/ready', READ, async (_request, reply: FastifyReply) => {
    const isReady = await ready().then(
      () => true,
      () => false,
    )
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready' })
  })
}
