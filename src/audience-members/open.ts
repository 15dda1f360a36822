import type { Clock } from '../common/clock.ts'
import type { Vocabulary } from '../http/vocabulary.ts'
import type { Store } from '../storage/store.ts'
import { createMembership } from './background.ts'
import type { Words } from './check.ts'
import { BODY_WORDS } from './check.ts'
import type { Membership } from './membership.ts'
import { PostgresMembers } from './postgres/store.ts'
import { SqliteMembers } from './sqlite/store.ts'
import { removeAbandoned } from './sqlite/temporary-folder.ts'

/** Where members are kept. */
export type MembershipPlace =
  | { kind: 'temporary' }
  | { kind: 'folder'; folder: string }
  | { kind: 'postgres'; url: string; schema: string; store: Store }

export interface MembershipSettings {
  place: MembershipPlace
  clock: Clock
  vocabulary: Vocabulary
  delaySeconds: number
  /** Bytes of batches that may wait to be merged. */
  maxWaitingBytes: number
  /** How often it looks for what came due by the clock, in milliseconds; only after uploads when absent. */
  lookEveryMs?: number
  onError(error: unknown): void
}

/** Opens the membership of audiences. */
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
  if (folder === undefined) removeAbandoned()
  return createMembership(new SqliteMembers({ folder, words, maxWaitingBytes }), options)
}
