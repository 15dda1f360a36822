import { NO_APP, rowOfPlainPost } from '../../../domain/posts/insert.ts'
import { addPosts } from '../../../domain/posts/queries.ts'
import type { PostRow } from '../../../domain/posts/tables.ts'
import { conversations } from '../../../domain/reference-data/conversations.ts'
import { interests } from '../../../domain/reference-data/interests.ts'
import { type AddedUser, addGeneratedUsers } from '../../../identity/users/queries.ts'
import { IDS_PER_MS, idAt } from '../../../platform/common/ids.ts'
import { once } from '../../../platform/common/lookup.ts'
import type { RandomSource } from '../../../platform/common/random.ts'
import { endOfTurn } from '../../../platform/common/turn.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { DAY_MS, DataGenerator } from './generator.ts'
import { countries, type Language, languageByCode } from './languages.ts'

/** The rows of a synthetic user. */
export interface Person {
  user: AddedUser
  posts: PostRow[]
}

/**
 * The parameters of a population. The same values give the same users. `now`: the time of the first
 * start.
 */
export interface PopulationOptions {
  size: number
  now: number
  random: RandomSource
}

/** Users between two turns of the event loop. */
const USERS_AT_ONCE = 50
/** Users joined within these days before the first start, and posted in the last of them. */
const JOINED_DAYS = 1500
const POSTED_DAYS = 30
const MOST_POSTS = 10

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
/**
 * The step through the topics. With it, topics that are often liked together are in different
 * categories.
 */
const TOPIC_STEP = 7919

/** Countries, repeated according to their shares. */
const byShare = once(() =>
  countries().flatMap((country) => Array.from({ length: country.share }, () => country)),
)

/** Generates synthetic users. */
export function* peopleOf(options: PopulationOptions): Generator<Person> {
  const people = new PeopleGenerator(options)
  for (let number = 1; number <= options.size; number++) yield people.person(number)
}

class PeopleGenerator extends DataGenerator {
  readonly #now: number
  #ids = 0

  constructor({ random, now }: PopulationOptions) {
    super(random)
    this.#now = now
  }

  person(number: number): Person {
    const country = this.pick(byShare())
    const language = (this.isOneIn(8) && languageByCode('en')) || country.language
    const topics = Array.from({ length: 1 + this.below(4) }, () => this.#topic())
    const count = this.isOneIn(6) ? 0 : this.unequal(1, MOST_POSTS)
    const { id, at: createdAt } = this.#past(POSTED_DAYS + this.below(JOINED_DAYS))
    const first = this.pick(country.language.names)
    const screenName = `${first}_${number.toString(36)}`
    const name = `${first} ${this.pick(country.language.lastNames)}`
    const user = this.user({ id, createdAt, screenName, name, topics, country })
    const posts = Array.from({ length: count }, () => this.#post(id, 'production', language, topics))
    if (count > 0) posts.push(this.#post(id, 'sandbox', language, topics))
    return { user: { ...user, post_count: count }, posts }
  }

  #post(authorId: string, environment: string, language: Language, topics: readonly string[]): PostRow {
    const { id, at } = this.#past(this.below(POSTED_DAYS))
    const text = this.pick(language.plainPosts).replace('{}', this.pick(topics))
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
      { clock: { now: () => at }, ids: { next: () => id } },
    )
  }

  /** A few topics are popular, most are not. */
  #topic(): string {
    const all = topics()
    const rank = Math.floor(all.length * this.fraction() ** 2)
    return all[(rank * TOPIC_STEP) % all.length] ?? ''
  }

  /**
   * An id of a day in the past, and its time. Ids are numbered within the milliseconds of a second,
   * so that they are unique: there are 1000 times IDS_PER_MS of them, more than the largest
   * population needs.
   */
  #past(days: number): { id: string; at: number } {
    const wanted = this.#now - (days + 1 + this.fraction()) * DAY_MS
    const number = this.#ids++
    const at = Math.floor(wanted / 1000) * 1000 + (Math.floor(number / IDS_PER_MS) % 1000)
    return { id: idAt(at, 0, number % IDS_PER_MS), at }
  }
}

/**
 * Adds synthetic users with profiles and posts. A user whose screen name is taken is omitted.
 */
export async function addPopulation(tx: Transaction, options: PopulationOptions): Promise<void> {
  let people: Person[] = []
  async function addPeople(): Promise<void> {
    const added = await addGeneratedUsers(
      tx,
      people.map(({ user }) => user),
    )
    await addPosts(
      tx,
      people.filter(({ user }) => added.has(user.id)).flatMap(({ posts }) => posts),
    )
    people = []
    await endOfTurn()
  }
  for (const person of peopleOf(options)) {
    people.push(person)
    if (people.length === USERS_AT_ONCE) await addPeople()
  }
  await addPeople()
}
