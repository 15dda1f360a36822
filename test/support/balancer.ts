import { Agent, createServer, get, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** How often a node is asked whether it is ready. */
const CHECK_MS = 50

/** The listeners of a node with `--behind-proxy`: those of the core API and of the console. */
interface BalancedNode {
  core: string
  console: string
}

/**
 * A load balancer that terminates TLS for a public origin, as far as the nodes behind it can tell.
 */
export interface Balancer {
  url: string
  /**
   * Adds a node, or replaces the one with this name. It gets requests once its `/ready` is 200, and
   * while it stays so.
   */
  put(name: string, node: BalancedNode): void
  /** The names of the nodes that get requests. */
  ready(): string[]
  /** How many requests each node got since it was put. */
  passed(): Record<string, number>
  close(): Promise<void>
}

type Balanced = BalancedNode & { isReady: boolean; passed: number }

/**
 * Passes each request to the ready nodes in turn. It repeats none: a node that does not answer is a
 * 502.
 */
export async function openBalancer(origin: string): Promise<Balancer> {
  const nodes = new Map<string, Balanced>()
  const checks: Promise<void>[] = []
  const agent = new Agent({ keepAlive: true })
  const { host } = new URL(origin)
  let turn = 0
  let isOpen = true
  const readyNodes = () => [...nodes].filter(([, { isReady }]) => isReady)
  const server = createServer((asked, reply) => {
    const ready = readyNodes()
    const node = ready[turn++ % ready.length]?.[1]
    if (!node) return fail(reply, 503, 'no node is ready')
    node.passed++
    const { connection: _, ...headers } = asked.headers
    const forwarded = { host, 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' }
    const passed = request(`${node.core}${asked.url}`, {
      ...(asked.method !== undefined && { method: asked.method }),
      agent,
      headers: { ...headers, ...forwarded },
    })
    passed.on('response', (answer) => {
      const { connection, 'keep-alive': keepAlive, 'transfer-encoding': coding, ...rest } = answer.headers
      reply.writeHead(answer.statusCode ?? 502, rest)
      answer.on('error', () => reply.destroy()).pipe(reply)
    })
    passed.on('error', (error) => fail(reply, 502, `the node did not answer: ${error.message}`))
    asked.pipe(passed)
  })
  const check = async (name: string, node: Balanced) => {
    while (isOpen && nodes.get(name) === node) {
      node.isReady = (await statusOf(`${node.console}/ready`)) === 200
      await sleep(CHECK_MS)
    }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    put(name, at) {
      const node = { ...at, isReady: false, passed: 0 }
      nodes.set(name, node)
      checks.push(check(name, node))
    },
    ready: () => readyNodes().map(([name]) => name),
    passed: () => Object.fromEntries([...nodes].map(([name, { passed }]) => [name, passed])),
    async close() {
      isOpen = false
      await Promise.all(checks)
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function fail(reply: ServerResponse, status: number, why: string): void {
  if (reply.headersSent) reply.destroy()
  else reply.writeHead(status).end(why)
}

/** Undefined if nothing answers. */
function statusOf(url: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    get(url, { agent: false }, (answer) => resolve(answer.resume().statusCode)).on('error', () =>
      resolve(undefined),
    )
  })
}
