import { Type } from 'typebox'
import { NOTE_CANDIDATES } from '../../../../domain/notes/candidates.ts'
import {
  FEED_SIZES,
  type FeedRow,
  type FeedSelection,
  feedList,
  feedPositionOf,
  feedTokenOf,
  readSelection,
} from '../../../../domain/notes/feed.ts'
import { requireWriter } from '../../../../domain/notes/writers.ts'
import { invalid } from '../../../../platform/http/errors.ts'
import { msg } from '../../../../platform/http/message.ts'
import { apiError } from '../../../../platform/protocols/catalogue.ts'
import { fullPage } from '../../full-page.ts'
import { objectEndpoint } from '../../objects/endpoint.ts'
import { wrongToken } from '../../posts/search/token.ts'
import { DEFAULT_RESULTS, listParameters, NoteListMeta, SOURCE, WRITER_LIMITS } from '../endpoint.ts'

/**
 * GET /2/notes/search/posts_eligible_for_notes: the feed of the writer (core reference, 04 section
 * 3).
 */
export const listPostsEligibleForNotes = objectEndpoint({
  id: 'listPostsEligibleForNotes',
  path: '/2/notes/search/posts_eligible_for_notes',
  summary: 'List posts for community notes',
  description:
    'Returns public posts of the last 7 days on which the writer has no note. Posts with the highest demand come first: each user who requested a note counts 10, a like or a reply 1, a repost or a quote 2. The small feed has up to 100 posts, large 1,000, xl 5,000, xxl 20,000. Only top writers can read the feeds larger than small.',
  source: SOURCE,
  auth: ['user'],
  scopes: ['post.read'],
  limits: WRITER_LIMITS,
  query: {
    ...listParameters,
    post_selection: Type.Optional(
      Type.String({
        description:
          'Size and language of the feed: `feed_size: small, feed_lang: en`, the default. Either part is optional; `all` for every language.',
      }),
    ),
  },
  returns: { object: 'post', count: 'many', meta: NoteListMeta },
  errors: ['not a note writer', 'note feed not permitted'],
  example: {
    data: [{ id: '1900000000000000001', text: 'Hello', edit_history_post_ids: ['1900000000000000001'] }],
    meta: { result_count: 1 },
  },
  async find({ principal: { userId }, query }, { store, clock, indexes }, shownKeys) {
    const { test_mode: testMode, max_results: limit = DEFAULT_RESULTS, pagination_token: token } = query
    const feed = { ...selectionOf(query.post_selection), user: userId, testMode }
    const place = feedPositionOf(token, feed)
    if (!place) throw wrongToken('pagination_token', token ?? '')
    const writer = await requireWriter(store, userId)
    if (feed.size !== 'small' && writer.is_top === 0) throw apiError('note feed not permitted')
    await indexes.caughtUp(NOTE_CANDIDATES)
    const list = feedList(store, feed, clock.now())
    const shown = async (rows: readonly FeedRow[]) => {
      const keys = await shownKeys(rows.map(({ post_id }) => post_id))
      return rows.filter(({ post_id }) => keys.has(post_id))
    }
    const page = await fullPage({ ...list, shown }, { from: place, limit })
    const next = page.next && feedTokenOf(page.next, feed)
    return {
      keys: page.rows.map(({ post_id }) => post_id),
      meta: (shown) => ({ result_count: shown.length, ...(next !== undefined && { next_token: next }) }),
    }
  },
})

function selectionOf(text: string | undefined): FeedSelection {
  const selection = readSelection(text)
  if (selection) return selection
  const explanation = msg`Invalid post_selection: write feed_size: ${FEED_SIZES.join(', ')} and feed_lang: a language code or all, with a comma between, for example feed_size: small, feed_lang: en`
  throw invalid({
    place: 'query',
    name: 'post_selection',
    value: text ?? '',
    fault: { kind: 'rule', explanation },
  })
}
