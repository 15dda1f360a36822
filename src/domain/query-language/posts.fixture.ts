import type { MatchableAuthor, MatchablePost } from './matchable-post.ts'
import { wordsOf } from './tokenize.ts'

const author: MatchableAuthor = {
  id: '1001',
  username: 'Ada_1',
  name: 'Ada Lovelace',
  description: 'Writes programs, likes cats',
  location: 'London, UK',
  verified: false,
  followersCount: 500,
  followingCount: 50,
  postsCount: 5000,
  listedCount: 5,
}

/** A post that has nothing but what is given. */
export function postOf({
  text = '',
  ...given
}: Partial<Omit<MatchablePost, 'words' | 'author'>> & {
  author?: Partial<MatchableAuthor>
}): MatchablePost {
  return {
    id: '1900000000000000001',
    text,
    words: wordsOf(text),
    hashtags: [],
    cashtags: [],
    mentions: [],
    links: [],
    lang: 'en',
    media: [],
    conversationId: '1900000000000000001',
    contexts: [],
    entities: [],
    source: { name: 'Plaza Web', address: 'https://plaza.example' },
    nullcast: false,
    likeCount: 0,
    replyCount: 0,
    repostCount: 0,
    ...given,
    author: { ...author, ...given.author },
  }
}

/** The text of a post that is quoted. */
export const quoted = (id: string, text: string) => ({
  id,
  text,
  words: wordsOf(text),
  hashtags: [],
  cashtags: [],
  mentions: [],
  links: [],
})
