import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type Server, Socket } from 'node:net'
import type { TestContext } from 'node:test'
import type { Outbound, OutboundRequest, Outcome } from './outbound.ts'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const START = new Date('2020-01-01T00:00:00Z')
const END = new Date('2049-01-01T00:00:00Z')

export interface Credentials {
  cert: string
  key: string
}

/** The library requires the metadata functions of `Reflect`. */
async function generator(): Promise<typeof import('@peculiar/x509')> {
  await import('reflect-metadata')
  return import('@peculiar/x509')
}

/** A certificate authority for one test file. */
export interface Authority {
  cert: string
  /** Signs a server certificate for DNS names and IP addresses. */
  issue(names: readonly string[], end?: Date): Promise<Credentials>
}

export async function createAuthority(): Promise<Authority> {
  const x509 = await generator()
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=Test root',
    notBefore: START,
    notAfter: END,
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  })
  let serial = 1
  return {
    cert: root.toString('pem'),
    async issue(names, end = END) {
      const own = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
      serial++
      const certificate = await x509.X509CertificateGenerator.create({
        serialNumber: serial.toString(16).padStart(2, '0'),
        subject: 'CN=Test server',
        issuer: root.subjectName,
        notBefore: START,
        notAfter: end,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: ALGORITHM,
        extensions: [
          new x509.SubjectAlternativeNameExtension(
            names.map((value) => ({ type: /^[0-9.]+$|:/.test(value) ? 'ip' : 'dns', value }) as const),
          ),
        ],
      })
      const key = await crypto.subtle.exportKey('pkcs8', own.privateKey)
      return {
        cert: certificate.toString('pem'),
        key: `-----BEGIN PRIVATE KEY-----\n${Buffer.from(key).toString('base64')}\n-----END PRIVATE KEY-----\n`,
      }
    },
  }
}

/**
 * Starts a server of node:net, node:http or node:https on loopback, and stops it after the test.
 * Returns its port.
 */
export async function listen(t: TestContext, server: Server, host = '127.0.0.1', port = 0): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(port, host)
  await once(server, 'listening')
  t.after(async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
    if (server.listening) await once(server, 'close')
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}

/** A server with a handler for raw connections. Returns its port. */
export function rawServer(t: TestContext, serve: (socket: Socket) => void): Promise<number> {
  return listen(t, createServer(serve))
}

/**
 * Listeners on one port of both loopback addresses (IPv6 if the machine supports it) that must not
 * be contacted.
 */
export async function setTrap(t: TestContext): Promise<{ port: number; touched: () => number }> {
  let touched = 0
  const count = () => {
    touched++
  }
  const port = await listen(t, createServer(count))
  await listen(t, createServer(count), '::1', port).catch(() => {})
  return { port, touched: () => touched }
}

/**
 * Counts the client sockets that this process starts to connect, beneath every library, until the
 * test ends.
 */
export function spyOnSockets(t: TestContext): { opened: () => number } {
  let opened = 0
  const count = () => {
    opened++
  }
  subscribe('net.client.socket', count)
  t.after(() => unsubscribe('net.client.socket', count))
  return { opened: () => opened }
}

/** A socket that never uses the network and fails as if no one listened. */
export function deadSocket(): Socket {
  const socket = new Socket()
  setImmediate(() => socket.destroy(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })))
  return socket
}

/** A resolver that returns the answers one after another, then repeats the last. */
export function script(answers: readonly (readonly string[])[]) {
  let asked = 0
  return {
    asked: () => asked,
    resolve: async () => {
      const answer = answers[Math.min(asked++, answers.length - 1)] ?? []
      return answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    },
  }
}

/** The outcome of a call, without the facts about its connection. */
export async function outcomeOf(outbound: Outbound, request: CallOfAnyone): Promise<Outcome> {
  return (await outbound.send({ owner: 'an app', ...request })).outcome
}

type CallOfAnyone = Omit<OutboundRequest, 'owner'> & Partial<Pick<OutboundRequest, 'owner'>>
