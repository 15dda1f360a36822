import type { FastifyInstance } from 'fastify'
import { adminAccess } from '../../api/admin/access.ts'
import type { AdminDependencies } from '../../api/admin/endpoint.ts'
import type { Services, Step } from '../../platform/http/contract.ts'
import { mount } from '../../platform/http/mount.ts'
import { openBody, readBody, readForm } from '../../platform/http/steps/body.ts'
import { handle } from '../../platform/http/steps/handle.ts'
import { identify } from '../../platform/http/steps/identify.ts'
import { readParameters, readPath } from '../../platform/http/steps/parameters.ts'
import { send } from '../../platform/http/steps/send.ts'
import { neutralVocabulary } from '../../platform/http/vocabulary.ts'
import type { Sealer } from '../../platform/storage/seal.ts'
import { adminEndpoints } from '../endpoints.ts'

/** Where the console serves it. */
const PREFIX = '/admin'

interface AdminOptions {
  readonly sealer: Sealer
  /** Whether programs on this machine need no token. */
  readonly trustsLoopback: boolean
  readonly dependencies: AdminDependencies
  /** Of the console's listener. */
  readonly services: Services
}

/**
 * Mounts the admin API on the console. It has the neutral names, whatever the vocabulary, and no
 * rate limits.
 */
export function mountAdmin(server: FastifyInstance, options: AdminOptions): void {
  const { sealer, trustsLoopback, dependencies } = options
  const steps: readonly Step[] = [
    readPath,
    identify,
    adminAccess({ sealer, trustsLoopback }),
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
    context: dependencies,
  }
  server.register(async (child) => mount(child, { own: adminEndpoints, hidden: [], absent: [] }, services), {
    prefix: PREFIX,
  })
}
