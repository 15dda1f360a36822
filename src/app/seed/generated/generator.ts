import { storedEntities } from '../../../identity/users/entities.ts'
import { NO_PASSWORD } from '../../../identity/users/password.ts'
import type { AddedUser } from '../../../identity/users/queries.ts'
import { fractions, type RandomSource } from '../../../platform/common/random.ts'
import type { Country } from './languages.ts'

export const DAY_MS = 86_400_000

/** A generated user, except what is drawn for it. */
export interface GeneratedUser {
  id: string
  createdAt: number
  screenName: string
  name: string
  /** What the user writes about, for the description. */
  topics: readonly string[]
  /** Where the user lives, for the location. */
  country?: Country
}

/**
 * Random choices, and the users that result from them. The same randomness gives the same users.
 */
export class DataGenerator {
  readonly fraction: () => number

  constructor(random: RandomSource) {
    this.fraction = fractions(random)
  }

  /** No one can sign in as the user. */
  user({ id, createdAt, screenName, name, topics, country }: GeneratedUser): AddedUser {
    const description = this.isOneIn(3) ? '' : [...new Set(topics)].join(' · ')
    return {
      id,
      screen_name: screenName,
      screen_name_key: screenName.toLowerCase(),
      name,
      password_hash: NO_PASSWORD,
      suspended: 0,
      created_at: createdAt,
      description,
      description_entities: storedEntities(description),
      location: country ? this.#location(country) : '',
      followers_count: this.unequal(8, 50_000),
      following_count: this.unequal(20, 5000),
      post_count: 0,
      listed_count: 0,
      like_count: this.unequal(10, 5000),
    }
  }

  #location({ name, towns }: Country): string {
    if (this.isOneIn(10)) return ''
    return this.isOneIn(4) ? name : this.pick(towns)
  }

  /** A whole number from 0 up to `count`. */
  below = (count: number) => Math.floor(this.fraction() * count)
  isOneIn = (count: number) => this.below(count) === 0
  isLucky = (share: number) => this.fraction() < share

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }

  /** A number from a minimum up: half are below three times the minimum, a few far above. */
  unequal(least: number, most: number): number {
    return Math.min(most, Math.floor(least / (1 - this.fraction()) ** 0.75))
  }
}
