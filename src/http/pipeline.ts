import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from './endpoint.ts'
import { Refusal } from './errors.ts'
import { Exchange } from './exchange.ts'
import { compileRefusal } from './refuse.ts'
import type { Services } from './step.ts'
import { compileSteps } from './step.ts'

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * Compiles the way of a request to an endpoint: the steps, in their order, and the refusal that ends it wherever one of
 * them throws. Everything that can be known beforehand is worked out now.
 */
export function compilePipeline(endpoint: Endpoint, services: Services): Handler {
  const run = compileSteps(services.steps, endpoint, services)
  const refuse = compileRefusal(endpoint.protocol, services, services.schemesOf(endpoint))
  return async (request, reply) => {
    const exchange = new Exchange(request, reply)
    try {
      await run?.(exchange)
      return reply
    } catch (error) {
      const refusal = error instanceof Refusal ? error : services.failure(error, request)
      return refuse(request, reply, refusal, `{"params":${exchange.understood}}`)
    } finally {
      exchange.held?.release()
    }
  }
}
