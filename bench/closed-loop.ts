import autocannon from 'autocannon'
import { PUBLIC_HOST } from './processes.ts'

export const CONNECTIONS = 32

/** A request as it goes over the wire. */
export interface Wire {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  headers: Record<string, string>
  body?: string
}

export interface Load {
  perSecond: number
  p50: number
  p99: number
  errors: number
  cpuPerRequest: number | undefined
}

/** What listens, and how much processor time it spent. */
export interface Server {
  port: number
  cpuMicroseconds(): number | undefined
}

export const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** As many requests as a server answers on so many connections. */
export async function closedLoop(
  server: Server,
  request: Wire | (() => Wire),
  { tls, seconds }: { tls: boolean; seconds: number },
): Promise<Load> {
  const before = server.cpuMicroseconds()
  const fixed = typeof request === 'function' ? request() : request
  const result = await autocannon({
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${server.port}`,
    connections: CONNECTIONS,
    duration: seconds,
    tlsOptions: { rejectUnauthorized: false },
    requests: [
      {
        ...fixed,
        headers: { host: PUBLIC_HOST, ...fixed.headers },
        ...(typeof request === 'function' && {
          setupRequest: (built: autocannon.Request) => {
            const { path, headers, body } = request()
            return {
              ...built,
              path,
              headers: { ...built.headers, ...headers },
              ...(body !== undefined && { body }),
            }
          },
        }),
      },
    ],
  } as autocannon.Options)
  const after = server.cpuMicroseconds()
  return {
    perSecond: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    errors: result.non2xx + result.errors + result.timeouts,
    cpuPerRequest:
      before === undefined || after === undefined ? undefined : (after - before) / result.requests.total,
  }
}
