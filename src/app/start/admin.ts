import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { adminAccess } from '../../api/admin/access.ts'
import type { PlazaEndpoint } from '../../identity/auth/endpoint.ts'
import type { Services, Step } from '../../platform/http/contract.ts'
import { ApiError, invalid } from '../../platform/http/errors.ts'
import { msg } from '../../platform/http/message.ts'
import { mount } from '../../platform/http/mount.ts'
import { openBody, readBody, readForm } from '../../platform/http/steps/body.ts'
import { handle } from '../../platform/http/steps/handle.ts'
import { identify } from '../../platform/http/steps/identify.ts'
import { readParameters, readPath } from '../../platform/http/steps/parameters.ts'
import { send } from '../../platform/http/steps/send.ts'
import { neutralVocabulary } from '../../platform/http/vocabulary.ts'
import type { Sealer } from '../../platform/storage/seal.ts'
import { NotThere, WrongValue } from '../../workbench/create/wrong.ts'

/** Where the console serves it. */
const PREFIX = '/admin'

interface AdminOptions<Dependencies> {
  /** Those that are served. */
  readonly endpoints: readonly PlazaEndpoint<Dependencies>[]
  readonly sealer: Sealer
  /** Whether programs on this machine need no token. */
  readonly trustsLoopback: boolean
  /** Whether a browser has a session of the console. */
  isSignedIn(headers: IncomingHttpHeaders): boolean
  readonly dependencies: Dependencies
  /** Of the console's listener. */
  readonly services: Services
}

/**
 * Mounts the admin API on the console. It has the neutral names, whatever the vocabulary, and no
 * rate limits.
 */
export function mountAdmin<Dependencies>(server: FastifyInstance, options: AdminOptions<Dependencies>): void {
  const { endpoints: own, sealer, trustsLoopback, isSignedIn, dependencies } = options
  const steps: readonly Step[] = [
    readPath,
    identify,
    adminAccess({ sealer, trustsLoopback, isSignedIn }),
    openBody,
    readForm,
    readBody,
    readParameters,
    handle,
    send,
  ]
  const services: Services = {
    ...options.services,
    naming: { vocabulary: neutralVocabulary, problemBase: options.services.origin },
    steps,
    schemesOf: () => ['Bearer'],
    // It is plain HTTP on loopback, without a proxy.
    behindProxy: false,
    secure: false,
    failure: (error, request) => rejection(error) ?? options.services.failure(error, request),
    context: dependencies,
  }
  server.register(async (child) => mount(child, { own, hidden: [] }, services), {
    prefix: PREFIX,
  })
}

/** The error of a value that nothing can be made with; undefined for other errors. */
function rejection(error: unknown): ApiError | undefined {
  if (error instanceof NotThere) return new ApiError('not found', { explanation: error.message })
  if (!(error instanceof WrongValue)) return undefined
  const fault = { kind: 'rule', explanation: msg`${error.message}` } as const
  return invalid({ place: 'body', name: error.member, value: error.value, fault })
}
