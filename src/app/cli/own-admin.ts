import { createServer, type RequestListener } from 'node:http'
import Fastify, { LogController } from 'fastify'
import { adminToken } from '../../api/admin/access.ts'
import type { DataDependencies } from '../../api/admin/endpoint.ts'
import type { Services } from '../../platform/http/contract.ts'
import { ApiError, apiError } from '../../platform/http/errors.ts'
import { BodyMemory } from '../../platform/http/input/body-memory.ts'
import { Streams } from '../../platform/http/streams.ts'
import { neutralVocabulary, type Vocabulary } from '../../platform/http/vocabulary.ts'
import { protocolAt, unknownPath } from '../../platform/protocols/protocols.ts'
import type { AdminTarget } from '../admin-target.ts'
import { adminDataEndpoints } from '../endpoints.ts'
import { mountAdmin } from '../start/admin.ts'
import { FRAMEWORK } from '../start/listener.ts'
import type { Installation } from './installation.ts'

const BODY_BYTES = 64 * 1024 * 1024

/**
 * Serves the admin API on the data of an installation while `work` runs, on loopback to this
 * process only: calls need the token of the master key.
 */
export async function withOwnAdmin<T>(
  { store, sealer, parts }: Installation,
  {
    vocabulary,
    ...around
  }: Pick<DataDependencies, 'dictionary' | 'mediaOrigin' | 'files'> & { vocabulary: Vocabulary },
  work: (target: AdminTarget) => Promise<T>,
): Promise<T> {
  const failures: unknown[] = []
  const http = createServer()
  const server = Fastify({
    serverFactory: (handler: RequestListener) => http.on('request', handler),
    logController: new LogController({ disableRequestLogging: true }),
    ...FRAMEWORK,
  } as object)
  mountAdmin(server, {
    endpoints: adminDataEndpoints,
    sealer,
    trustsLoopback: false,
    isSignedIn: () => false,
    dependencies: { ...parts, store, naming: { vocabulary, problemBase: '' }, ...around },
    services: servicesOf((error) => failures.push(error)),
  })
  try {
    await server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = http.address() as { port: number }
    return await work({ consoleUrl: `http://127.0.0.1:${port}`, token: adminToken(sealer) })
  } catch (error) {
    // What happened in this process says more than the reply about it.
    throw failures[0] ?? error
  } finally {
    http.closeAllConnections()
    await server.close()
  }
}

/** Neither limits nor a log: the only caller is this process. */
const servicesOf = (failed: (error: unknown) => void): Services => ({
  naming: { vocabulary: neutralVocabulary, problemBase: '' },
  limitRules: 'off',
  host: 'console',
  behindProxy: false,
  secure: false,
  steps: [],
  bodyMemory: new BodyMemory({ known: BODY_BYTES, anonymous: BODY_BYTES }),
  streams: new Streams(),
  protocolAt: (path) => protocolAt('console', path),
  unknownPath: (path) => unknownPath('console', path),
  hasEnded: () => false,
  schemesOf: () => ['Bearer'],
  origin: '',
  count: () => ({ allowed: true, remaining: 1, resetSeconds: 0 }),
  uncount: () => undefined,
  failure(error) {
    if (error instanceof ApiError) return error
    failed(error)
    return apiError('internal', String((error as Error).message))
  },
  replied: () => undefined,
  context: undefined,
})
