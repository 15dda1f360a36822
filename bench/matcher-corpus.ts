import type { MatchableAuthor, MatchablePost } from '../src/domain/query-language/matchable-post.ts'
import { fractions, seededRandom } from '../src/platform/common/random.ts'

// Generated posts and rules, the same for the same seed. Word frequencies are those of real text
// (Zipf); the most frequent words are stop words. The terms of rules are taken from posts, so that
// frequent ones are in many rules.

const VOCABULARY = 60_000
const STOP_WORDS =
  'the to and a of in is it you i for on that my with this at so me be but not have was we are up out do'.split(
    ' ',
  )
const LETTERS = 'etaoinshrdlucmfwypvbgkqjxz'
const SPACELESS = [
  '今日 天気 東京 仕事 映画 音楽 新しい 写真 学校 電車 料理 旅行 朝 夜 雨 猫 犬 友達 時間 世界 経済 選挙 野球 試合 明日'.split(
    ' ',
  ),
  '天气 北京 工作 电影 音乐 新闻 照片 学校 火车 旅行 早上 晚上 下雨 朋友 时间 世界 经济 比赛 明天 手机 中国 美国 今天 喜欢 吃饭'.split(
    ' ',
  ),
  'วันนี้ อากาศ กรุงเทพ ทำงาน หนัง เพลง ข่าว รูปภาพ โรงเรียน รถไฟ อาหาร ท่องเที่ยว เช้า กลางคืน ฝน แมว หมา เพื่อน เวลา โลก'.split(
    ' ',
  ),
]
const LANGUAGES = ['en', 'en', 'en', 'en', 'es', 'pt', 'fr', 'de', 'ru']
const SPACELESS_LANGUAGES = ['ja', 'zh', 'th']
const AUTHORS = 20_000

/** A post as it is stored: its text is not cut into words yet. */
export interface RawPost extends Omit<MatchablePost, 'words'> {
  readonly text: string
}

export class Corpus {
  readonly #next: () => number
  readonly #words: string[]
  readonly #cumulated: Float64Array
  readonly #authors: MatchableAuthor[]
  #posts = 0

  constructor(seed: string) {
    this.#next = fractions(seededRandom(seed))
    this.#words = Array.from({ length: VOCABULARY }, (_, rank) => STOP_WORDS[rank] ?? this.#inventWord(rank))
    this.#cumulated = new Float64Array(VOCABULARY)
    let sum = 0
    for (let rank = 0; rank < VOCABULARY; rank++) {
      sum += 1 / (rank + 2)
      this.#cumulated[rank] = sum
    }
    this.#authors = Array.from({ length: AUTHORS }, (_, n) => this.#author(n))
  }

  below(count: number): number {
    return Math.floor(this.#next() * count)
  }

  isLucky(share: number): boolean {
    return this.#next() < share
  }

  pick<One>(all: readonly One[]): One {
    return all[this.below(all.length)] as One
  }

  /** Short words are frequent; one in eight has letters beyond ASCII. */
  #inventWord(rank: number): string {
    const length = 3 + Math.floor(Math.log10(rank + 1)) + this.below(5)
    let word = ''
    for (let n = 0; n < length; n++) word += LETTERS[Math.min(this.below(26), this.below(26))]
    const foreign = this.#next()
    if (foreign < 0.06) return word.replace(/[aeiou]/, (vowel) => 'áéíóú'['aeiou'.indexOf(vowel)] as string)
    if (foreign < 0.12)
      return word.replace(/[a-z]/g, (letter) => String.fromCharCode(0x430 + LETTERS.indexOf(letter)))
    return word
  }

  /** A word, as often as it occurs. */
  word(): string {
    const wanted = this.#next() * (this.#cumulated[VOCABULARY - 1] as number)
    let low = 0
    let high = VOCABULARY - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#cumulated[middle] as number) < wanted) low = middle + 1
      else high = middle
    }
    return this.#words[low] as string
  }

  /** A word that says what a post is about. */
  topic(): string {
    for (;;) {
      const word = this.word()
      if (!STOP_WORDS.includes(word)) return word
    }
  }

  /** A word that names something: one of those that are rarely used. */
  name(): string {
    return this.#words[3_000 + this.below(VOCABULARY - 3_000)] as string
  }

  #author(n: number): MatchableAuthor {
    const followersCount = Math.floor(10 ** (this.#next() * 6))
    return {
      id: String(5_000_000 + n),
      username: `user_${n}`,
      name: `User ${n}`,
      description: 'Writes about this and that',
      location: 'Somewhere',
      verified: this.isLucky(0.05),
      followersCount,
      followingCount: this.below(2_000),
      postsCount: this.below(50_000),
      listedCount: this.below(100),
    }
  }

  author(): MatchableAuthor {
    // Some write much more than others.
    return this.#authors[Math.floor(this.#next() ** 3 * AUTHORS)] as MatchableAuthor
  }

  post(): RawPost {
    const spaceless = this.isLucky(0.1) ? this.below(SPACELESS.length) : undefined
    const words =
      spaceless === undefined
        ? Array.from({ length: 4 + this.below(24) }, () => this.word())
        : [
            Array.from({ length: 4 + this.below(10) }, () =>
              this.pick(SPACELESS[spaceless] as string[]),
            ).join(''),
          ]
    const hashtags = Array.from({ length: this.isLucky(0.2) ? 1 + this.below(3) : 0 }, () => this.topic())
    const mentions = Array.from({ length: this.isLucky(0.25) ? 1 : 0 }, () => this.author().username)
    const text = [...mentions.map((one) => `@${one}`), ...words, ...hashtags.map((tag) => `#${tag}`)].join(
      ' ',
    )
    const hasLink = this.isLucky(0.15)
    const isReply = this.isLucky(0.3)
    return {
      id: String(1_900_000_000_000_000_000n + BigInt(this.#posts++)),
      text: `${text.charAt(0).toUpperCase()}${text.slice(1)}${this.pick(['', '.', '!', ' 🎉', '?'])}`,
      author: this.author(),
      hashtags,
      cashtags: [],
      mentions,
      links: hasLink
        ? [{ addresses: [`https://${this.name()}.example.com/${this.topic()}/${this.below(1e6)}`] }]
        : [],
      lang: spaceless === undefined ? this.pick(LANGUAGES) : (SPACELESS_LANGUAGES[spaceless] as string),
      media: this.isLucky(0.2) ? ['photo'] : [],
      conversationId: String(this.below(1e9)),
      ...(isReply && { repliesTo: { id: String(this.below(1e9)) }, addressee: this.author() }),
      contexts: [],
      entities: [],
      source: { name: 'Plaza Web', address: 'https://plaza.example' },
      nullcast: false,
      likeCount: 0,
      replyCount: 0,
      repostCount: 0,
    }
  }

  /**
   * A rule of 1 to 10 operators: nine of ten ask for all of them, many with alternatives for one.
   */
  rule(): string {
    const count = 1 + this.below(10)
    const root = this.isLucky(0.9) ? ' ' : ' OR '
    if (root === ' OR ') return Array.from({ length: count }, () => this.#anchor()).join(root)
    const alternatives = count > 2 && this.isLucky(0.4) ? 2 + this.below(count - 2) : 0
    const group = Array.from({ length: alternatives }, () => this.#anchor()).join(' OR ')
    const rest = Array.from({ length: count - alternatives }, (_, n) =>
      n === 0 && alternatives === 0 ? this.#anchor() : this.#clause(),
    )
    return [...(group === '' ? [] : [`(${group})`]), ...rest].join(' ')
  }

  /** A rule with 20 to 100 alternatives, all of them names, as brands and products are watched. */
  longRule(): string {
    const alternatives = Array.from({ length: 20 + this.below(81) }, () =>
      this.isLucky(0.15) ? `#${this.name()}` : this.name(),
    )
    const joined = alternatives.join(' OR ')
    return this.isLucky(0.5) ? joined : `(${joined}) ${this.#joined()}`
  }

  /** A clause that stands alone. */
  #anchor(): string {
    const kind = this.#next()
    if (kind < 0.7) return this.topic()
    if (kind < 0.8) return `"${this.topic()} ${this.word()}"`
    if (kind < 0.88) return `#${this.topic()}`
    if (kind < 0.93) return `@${this.author().username}`
    if (kind < 0.97) return `from:${this.author().username}`
    if (kind < 0.98) return this.pick(this.pick(SPACELESS))
    return `url:${this.topic()}`
  }

  #clause(): string {
    const kind = this.#next()
    if (kind < 0.5) return this.#anchor()
    return kind < 0.75 ? `-${this.topic()}` : this.#joined()
  }

  #joined(): string {
    return this.pick([
      'lang:en',
      'lang:es',
      'has:media',
      'has:links',
      '-is:repost',
      '-is:reply',
      'has:hashtags',
      `followers_count:${this.below(10_000)}`,
    ])
  }
}
