import { NO_APP, rowOfPlainPost } from '../../../domain/posts/insert.ts'
import type { PostRow } from '../../../domain/posts/tables.ts'
import { conversations } from '../../../domain/reference-data/conversations.ts'
import { interests } from '../../../domain/reference-data/interests.ts'
import { storedEntities } from '../../../identity/users/entities.ts'
import { NO_PASSWORD } from '../../../identity/users/password.ts'
import type { AddedUser } from '../../../identity/users/queries.ts'
import { IDS_PER_MS, idAt } from '../../../platform/common/ids.ts'
import { once } from '../../../platform/common/lookup.ts'
import type { RandomSource } from '../../../platform/common/random.ts'
import { fractions } from '../../../platform/common/random.ts'
import type { Country, Language } from './languages.ts'
import { countries, languageByCode } from './languages.ts'

/** The rows of a synthetic user. */
export interface Person {
  user: AddedUser
  posts: PostRow[]
}

const DAY_MS = 86_400_000
/** Users joined within these days before the first start, and posted in the last of them. */
const JOINED_DAYS = 1500
const POSTED_DAYS = 30
const MOST_POSTS = 10
const MOST_FOLLOWERS = 50_000

const leaf = (name: string) => name.slice(name.lastIndexOf('/') + 1)

/** Topics of posts. No user has political opinions. */
const topics = once((): readonly string[] => [
  ...new Set([
    ...interests()
      .filter(({ name }) => !name.startsWith('Law and politics/'))
      .map(({ name }) => leaf(name)),
    ...conversations()
      .filter(({ conversation_type: type }) => !type.startsWith('POLITIC'))
      .map(({ name }) => name),
  ]),
])
/** The step through the topics. With it, topics that are often liked together are in different categories. */
const TOPIC_STEP = 7919

/** Countries, repeated according to their shares. */
const byShare = once(() =>
  countries().flatMap((country) => Array.from({ length: country.share }, () => country)),
)

/** Generates synthetic users. */
export function* peopleOf(of: { size: number; now: number; random: RandomSource }): Generator<Person> {
  const maker = new Maker(of.random, of.now)
  for (let number = 1; number <= of.size; number++) yield maker.person(number)
}

class Maker {
  readonly #fraction: () => number
  readonly #now: number
  #ids = 0

  constructor(random: RandomSource, now: number) {
    this.#fraction = fractions(random)
    this.#now = now
  }

  person(number: number): Person {
    const country = this.#one(byShare())
    const language = (this.#isOneIn(8) && languageByCode('en')) || country.language
    const topics = Array.from({ length: 1 + this.#below(4) }, () => this.#topic())
    const count = this.#isOneIn(6) ? 0 : this.#unequal(1, MOST_POSTS)
    const { id, at } = this.#past(POSTED_DAYS + this.#below(JOINED_DAYS))
    const first = this.#one(country.language.names)
    const screen_name = `${first}_${number.toString(36)}`
    const name = `${first} ${this.#one(country.language.lastNames)}`
    const description = this.#isOneIn(3) ? '' : [...new Set(topics)].join(' · ')
    const user = {
      id,
      screen_name,
      screen_name_key: screen_name.toLowerCase(),
      name,
      password_hash: NO_PASSWORD,
      suspended: 0,
      created_at: at,
      description,
      description_entities: storedEntities(description),
      location: this.#location(country),
      followers_count: this.#unequal(8, MOST_FOLLOWERS),
      following_count: this.#unequal(20, 5000),
      post_count: count,
      listed_count: 0,
      like_count: this.#unequal(10, 5000),
    }
    const posts = Array.from({ length: count }, () => this.#post(id, 'production', language, topics))
    if (count > 0) posts.push(this.#post(id, 'sandbox', language, topics))
    return { user, posts }
  }

  #post(authorId: string, environment: string, language: Language, topics: readonly string[]): PostRow {
    const { id, at } = this.#past(this.#below(POSTED_DAYS))
    const text = this.#one(language.plainPosts).replace('{}', this.#one(topics))
    return rowOfPlainPost(
      {
        environment,
        authorId,
        text,
        lang: language.code,
        nullcast: false,
        replySettings: 'everyone',
        appId: NO_APP,
        contributorId: null,
      },
      { clock: { now: () => at, at: async () => true }, ids: { next: () => id } },
    )
  }

  #location({ name, towns }: Country): string {
    if (this.#isOneIn(10)) return ''
    return this.#isOneIn(4) ? name : this.#one(towns)
  }

  /** A few topics are popular, most are not. */
  #topic(): string {
    const all = topics()
    const rank = Math.floor(all.length * this.#fraction() ** 2)
    return all[(rank * TOPIC_STEP) % all.length] ?? ''
  }

  /**
   * An id of a day in the past, and its time. Ids are numbered within the milliseconds of a second, so that they are
   * unique: there are 1000 times IDS_PER_MS of them, more than the largest population needs.
   */
  #past(days: number): { id: string; at: number } {
    const wanted = this.#now - (days + 1 + this.#fraction()) * DAY_MS
    const number = this.#ids++
    const at = Math.floor(wanted / 1000) * 1000 + (Math.floor(number / IDS_PER_MS) % 1000)
    return { id: idAt(at, 0, number % IDS_PER_MS), at }
  }

  /** A number from a minimum up: half are below three times the minimum, a few far above. */
  #unequal(least: number, most: number): number {
    return Math.min(most, Math.floor(least / (1 - this.#fraction()) ** 0.75))
  }

  #one<T>(list: readonly T[]): T {
    return list[this.#below(list.length)] as T
  }

  #isOneIn = (count: number) => this.#below(count) === 0
  #below = (count: number) => Math.floor(this.#fraction() * count)
}
