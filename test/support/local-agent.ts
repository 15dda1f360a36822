import { Agent } from 'node:https'
import { connect } from 'node:tls'

/**
 * An agent for clients that have their host built in: it connects every request for `host` to a
 * port of this machine.
 */
export function localAgent({ ca, host, port }: { ca: string; host: string; port: number }): Agent {
  const agent = new Agent({ ca })
  agent.createConnection = ((options: object) =>
    connect({
      ...options,
      host: '127.0.0.1',
      port,
      servername: host,
    })) as unknown as typeof agent.createConnection
  return agent
}
