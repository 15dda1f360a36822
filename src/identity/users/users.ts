import type { Clock } from '../../platform/common/clock.ts'
import type { IdSource } from '../../platform/common/ids.ts'
import type { RandomSource } from '../../platform/common/random.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { hashPassword, LOCKED_PASSWORD, MADE_PASSWORD_ROUNDS } from './password.ts'
import { addUser, setDirectMessagesFrom, setPassword } from './queries.ts'

/** What is needed to create a user. */
export interface UserDependencies {
  clock: Clock
  ids: IdSource
  random: RandomSource
  /** The number of rounds of the password hash; the usual number if omitted. */
  passwordRounds?: number | undefined
}

/** Letters, digits and underscores, 1 to 15 of them; compared without case. */
export const SCREEN_NAME = /^[A-Za-z0-9_]{1,15}$/

/** Who may send a user direct messages: everyone, or those whom the user follows. */
export const MESSAGE_SENDERS = ['everyone', 'followed'] as const
export type MessageSenders = (typeof MESSAGE_SENDERS)[number]

/** The badge of a verified user. */
export const VERIFIED_TYPES = ['none', 'blue', 'government', 'business'] as const
export type VerifiedType = (typeof VERIFIED_TYPES)[number]

/** What a user pays for. */
export const SUBSCRIPTION_TYPES = ['None', 'Basic', 'Premium', 'PremiumPlus'] as const
export type SubscriptionType = (typeof SUBSCRIPTION_TYPES)[number]

export interface NewUser {
  screenName: string
  name: string
  /** Null for a user as whom nobody can sign in. */
  password: string | null
  /** Whether Plaza made the password, at random. */
  isMade?: boolean
}

/**
 * The record of a user. The password is hashed before the transaction begins, because hashing takes
 * a while.
 */
export async function prepareUser(user: NewUser, parts: UserDependencies) {
  const { clock, ids, random, passwordRounds } = parts
  if (!SCREEN_NAME.test(user.screenName))
    throw new Error(`"${user.screenName}" is not a screen name: 1 to 15 letters, digits or _`)
  return {
    id: ids.next(),
    screen_name: user.screenName,
    screen_name_key: user.screenName.toLowerCase(),
    name: user.name,
    password_hash:
      user.password === null
        ? LOCKED_PASSWORD
        : await hashPassword(
            user.password,
            random,
            passwordRounds ?? (user.isMade ? MADE_PASSWORD_ROUNDS : undefined),
          ),
    suspended: 0,
    created_at: clock.now(),
  }
}

export const createUser = (tx: Transaction, row: Awaited<ReturnType<typeof prepareUser>>) => addUser(tx, row)

/** A new password for a user. */
export const changePassword = (tx: Transaction, id: string, passwordHash: string) =>
  tx.run(setPassword, { id, passwordHash })

/** Sets who may send a user direct messages. */
export const chooseMessageSenders = (tx: Transaction, id: string, from: MessageSenders) =>
  tx.run(setDirectMessagesFrom, { id, from })
