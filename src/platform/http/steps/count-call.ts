import type { FastifyReply } from 'fastify'
import type { BucketOf, Endpoint, Services, Step } from '../contract.ts'
import { ApiError } from '../errors.ts'
import { type Bucket, groupOf, type Limit, type LimitCount, limitsOf, underRules } from '../limits.ts'

/**
 * Counts a call against the rate limit of its caller. From here on every reply has the rate limit
 * headers.
 */
export const countCall: Step = {
  name: 'count call',
  compile(endpoint, services) {
    const bucketOf = underRules(services, () =>
      endpoint.protocol.bucketOf
        ? endpoint.protocol.bucketOf(endpoint, services)
        : bucketOfPool(endpoint, limitsOf(endpoint, services.limitRules)),
    )
    const count = compileCounter(endpoint, services, 'x-rate-limit')
    return (exchange) => {
      const bucket = bucketOf()?.(exchange)
      return bucket && count(exchange.reply, bucket)
    }
  },
}

/** The bucket of the caller's pool; undefined when the endpoint has no limits. */
export function bucketOfPool(
  endpoint: Endpoint,
  limits: Readonly<Record<string, Limit>>,
): BucketOf | undefined {
  if (Object.keys(limits).length === 0) return undefined
  const group = groupOf(endpoint)
  return ({ caller: { pool } }) => {
    const limit = limits[pool.kind]
    return limit && { name: `${group} ${pool.owner}`, limit }
  }
}

/** Compiles the counting of calls. `prefix` is that of the headers with the remaining calls. */
export function compileCounter(
  endpoint: Pick<Endpoint, 'overLimit'>,
  { naming: { vocabulary }, count }: Services,
  prefix: string,
) {
  const overLimit = new ApiError(endpoint.overLimit)
  const header = (part: string) => vocabulary.header(`${prefix}-${part}`)
  const [limitHeader, remainingHeader, resetHeader] = [header('limit'), header('remaining'), header('reset')]
  const setHeaders = (
    reply: FastifyReply,
    calls: number,
    { allowed, remaining, resetSeconds }: LimitCount,
  ) => {
    reply.header(limitHeader, calls)
    reply.header(remainingHeader, remaining)
    reply.header(resetHeader, resetSeconds)
    if (!allowed) throw overLimit
  }
  return (reply: FastifyReply, { name, limit: { calls, windowSeconds } }: Bucket): void | Promise<void> => {
    const counted = count(name, calls, windowSeconds)
    if (counted instanceof Promise) return counted.then((count) => setHeaders(reply, calls, count))
    setHeaders(reply, calls, counted)
  }
}
