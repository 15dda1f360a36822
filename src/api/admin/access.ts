import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { sameText } from '../../platform/common/same-text.ts'
import type { Step } from '../../platform/http/contract.ts'
import { isSentFrom } from '../../platform/http/input/browser.ts'
import { apiError } from '../../platform/protocols/catalogue.ts'
import type { Sealer } from '../../platform/storage/seal.ts'

const BEARER = /^Bearer +([A-Za-z0-9_-]+)$/i

/**
 * The token of the admin API. It is derived from the master key, so it is not stored, and ends when
 * that key is rotated.
 */
export const adminToken = (sealer: Sealer): string => sealer.derive('admin API token').toString('base64url')

interface AdminAccessOptions {
  readonly sealer: Sealer
  /** Whether programs on this machine need no token. */
  readonly trustsLoopback: boolean
  /** Whether a browser has a session of the console. */
  isSignedIn(headers: IncomingHttpHeaders): boolean
}

/**
 * Admits callers with the token, the console's own pages with a session, and programs on this
 * machine in development mode. Pages of other origins are rejected, whatever they send: a browser
 * adds where a request comes from.
 */
export function adminAccess({ sealer, trustsLoopback, isSignedIn }: AdminAccessOptions): Step {
  const token = adminToken(sealer)
  return {
    name: 'admin access',
    compile: () => (exchange) => {
      const { headers, socket } = exchange.request.raw
      exchange.caller = { kind: 'none', pool: { kind: 'admin', owner: '' } }
      if (!isSentFrom(headers, [`http://${headers.host}`]))
        throw apiError('auth kind not allowed', {
          explanation: 'The admin API does not accept requests from pages of other origins.',
        })
      const [, sent] = BEARER.exec(headers.authorization ?? '') ?? []
      if (sent !== undefined && sameText(sent, token)) return
      if (headers.authorization === undefined) {
        if (trustsLoopback && isLoopback(socket.remoteAddress)) return
        if (isSignedIn(headers)) return
      }
      throw apiError('could not authenticate', {
        explanation:
          'The admin API needs its token: `Authorization: Bearer TOKEN`. `plaza admin-token` prints it.',
      })
    },
  }
}

/** Undefined for a connection that has ended. */
const isLoopback = (address: string | undefined): boolean =>
  address !== undefined &&
  isIP(address) !== 0 &&
  (address.startsWith('127.') || address === '::1' || address.startsWith('::ffff:127.'))
