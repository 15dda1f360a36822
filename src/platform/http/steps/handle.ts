import type { IncomingMessage } from 'node:http'
import type { Step } from '../contract.ts'
import type { Exchange } from '../exchange.ts'
import type { Reply } from '../reply-kinds.ts'
import { compileSteps } from '../step.ts'

/** The endpoint's own steps, set by its protocol. */
export const ownSteps: Step = {
  name: 'own steps',
  compile: (endpoint, services) => compileSteps(endpoint.steps, endpoint, services),
}

/** Calls the handler of the endpoint with typed, bounded, authorized input. */
export const handle: Step = {
  name: 'handle',
  compile(endpoint, services) {
    // The input of a handler is typed where the endpoint is declared; here it is plain data.
    const run = endpoint.handle as (call: object, context: unknown) => Promise<Reply<unknown>>
    const { context } = services
    const extend = endpoint.protocol.extend?.(services)
    return (exchange) => {
      const call = callOf(exchange)
      extend?.(call, exchange)
      return run(call, context).then((reply) => {
        exchange.result = reply
      })
    }
  },
}

/** The rest of a body that is not read to its end is discarded, so that a reply can be sent. */
async function* contentOf(message: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* message.iterator({ destroyOnReturn: false })
  } finally {
    message.resume()
  }
}

const callOf = ({ caller, input, incoming, request }: Exchange) => ({
  principal: caller,
  params: input.params,
  query: input.query,
  form: input.form,
  body: input.body,
  sentBack: input.sentBack,
  files: incoming.files,
  content: contentOf(request.raw),
  headers: incoming.headers,
  address: incoming.address,
})
