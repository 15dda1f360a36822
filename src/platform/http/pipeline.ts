import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint, Services } from './contract.ts'
import { ApiError } from './errors.ts'
import { Exchange } from './exchange.ts'
import { compileSendError } from './send-error.ts'
import { compileSteps } from './step.ts'

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * Compiles the pipeline of an endpoint: the steps, in their order, and the error reply when one of
 * them throws. Everything that does not depend on the request is computed now.
 */
export function compilePipeline(endpoint: Endpoint, services: Services): Handler {
  const run = compileSteps(services.steps, endpoint, services)
  const sendError = compileSendError(endpoint.protocol, services, services.schemesOf(endpoint))
  const name = `${endpoint.method} ${endpoint.path}`
  return async (request, reply) => {
    request.endpoint = name
    const exchange = new Exchange(request, reply)
    try {
      await run?.(exchange)
      return reply
    } catch (error) {
      const apiError = error instanceof ApiError ? error : services.failure(error, request)
      return sendError(request, reply, apiError, `{"params":${exchange.understood}}`)
    } finally {
      exchange.held?.release()
    }
  }
}
