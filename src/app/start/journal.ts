import type { JournalParts } from '../../api/admin/endpoint.ts'
import type { AuthenticationServices } from '../../identity/auth/authenticate.ts'
import { Gate } from '../../platform/common/gate.ts'
import { systemRandom } from '../../platform/common/random.ts'
import type { Config } from '../../platform/config/config.ts'
import { Journal } from '../../workbench/journal/journal.ts'
import type { OwnListener } from '../../workbench/own-server.ts'
import type { SignatureServices } from '../../workbench/signature/check.ts'
import { endpoints } from '../endpoints.ts'
import type { Base } from './base.ts'
import type { Context } from './context.ts'
import type { Urls } from './sockets.ts'

const BYTES_PER_MEGABYTE = 1024 * 1024
/** Calls that wait for an entry, and streams of entries: further ones get 503. */
const MAX_WAITS = 64
const MAX_FOLLOWERS = 64

/** The journal of this process; undefined if it is switched off. */
export function openJournal(
  { journal, hardened, journalEntries, journalMegabytes }: Config,
  { clock, machineClock }: Pick<Base, 'clock' | 'machineClock'>,
): Journal | undefined {
  if ((journal ?? (hardened ? 'off' : 'on')) === 'off') return undefined
  return new Journal({
    clock,
    machineClock,
    maxEntries: journalEntries,
    maxBytes: journalMegabytes * BYTES_PER_MEGABYTE,
  })
}

/** A host, as the journal needs to know it. */
export interface JournaledHost {
  readonly authentication: AuthenticationServices
  readonly listener: OwnListener
}

/** How the signatures of each host are checked. */
export const signaturesOf = (hosts: ReadonlyMap<string, JournaledHost>, urls: Urls) =>
  new Map(
    [...hosts].map(([host, { authentication }]): [string, SignatureServices & AuthenticationServices] => [
      host,
      { ...authentication, origins: [urls.core, urls.ads, urls.adsSandbox] },
    ]),
  )

/** What the endpoints of the journal need. */
export function journalParts(
  journal: Journal,
  { credentials, machineClock, naming }: Context,
  { hosts, urls }: { hosts: ReadonlyMap<string, JournaledHost>; urls: Urls },
): JournalParts {
  return {
    journal,
    waits: new Gate(MAX_WAITS, 0),
    followers: new Gate(MAX_FOLLOWERS, 0),
    explaining: { hosts: signaturesOf(hosts, urls), endpoints, vocabulary: naming.vocabulary },
    resending: {
      listeners: new Map([...hosts].map(([host, { listener }]) => [host, listener])),
      credentials,
      machineClock,
      random: systemRandom,
    },
    requestIdHeader: naming.vocabulary.header('x-transaction-id'),
  }
}
