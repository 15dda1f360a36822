import type { Clock } from '../../platform/common/clock.ts'
import type { Vocabulary } from '../../platform/http/vocabulary.ts'
import type { Store } from '../../platform/storage/store.ts'
import { createMembership } from './background.ts'
import { BODY_WORDS, type Words } from './check.ts'
import type { MemberCopies, Membership } from './membership.ts'
import { PostgresMembers } from './postgres/store.ts'
import { SqliteMembers } from './sqlite/store.ts'
import { removeAbandoned } from './sqlite/temporary-folder.ts'

/** Where members are stored. */
export type MembershipPlace =
  /** `copyOf`: the files or databases in memory to begin with. */
  | { kind: 'temporary'; copyOf?: MemberCopies | undefined }
  | { kind: 'folder'; folder: string }
  | { kind: 'postgres'; url: string; schema: string; store: Store }

export interface MembershipSettings {
  place: MembershipPlace
  clock: Clock
  vocabulary: Vocabulary
  delaySeconds: number
  /** Maximum bytes of batches that wait to be merged. */
  maxWaitingBytes: number
  /**
   * How often to check for work that is due by the clock, in milliseconds; if absent, only after
   * uploads.
   */
  lookEveryMs?: number
  onError(error: unknown): void
}

/** Opens the storage of audience members. */
export function openMembership({
  place,
  vocabulary,
  maxWaitingBytes,
  ...options
}: MembershipSettings): Membership {
  const words = Object.fromEntries(BODY_WORDS.map((word) => [word, vocabulary.name(word)])) as Words
  if (place.kind === 'postgres')
    return createMembership(new PostgresMembers({ ...place, words, maxWaitingBytes }), options)
  const folder = place.kind === 'folder' ? place.folder : undefined
  const copyOf = place.kind === 'temporary' ? place.copyOf : undefined
  if (folder === undefined) removeAbandoned()
  return createMembership(new SqliteMembers({ folder, copyOf, words, maxWaitingBytes }), options)
}
