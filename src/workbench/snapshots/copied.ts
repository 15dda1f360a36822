import type { MemberCopies } from '../../domain/audience-members/membership.ts'
import type { CopiedNonces } from '../../platform/cluster/nonce-journal.ts'
import type { CopiedWindow } from '../../platform/cluster/windows.ts'

/**
 * The data that a Plaza begins with instead of none. In a folder, all but the windows is in the
 * folder already.
 */
export interface CopiedData {
  /** The name of the database in memory. */
  readonly store?: string
  /** The name of the search index in memory; without it, the index is built. */
  readonly search?: string | undefined
  /** The names of the databases of audience members in memory; undefined if there are none. */
  readonly members?: MemberCopies | undefined
  readonly media?: ReadonlyMap<string, Buffer>
  readonly nonces?: CopiedNonces
  /** The windows of rate limits. */
  readonly windows?: readonly CopiedWindow[]
}
