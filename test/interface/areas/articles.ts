import type { Area } from '../support/exchange.ts'
import { id64, keep } from '../support/match.ts'
import * as problem from '../support/problems.ts'

const article = {
  title: 'Bridges, {run}',
  content_state: {
    blocks: [
      { text: 'Why bridges stand', type: 'header-one', key: 'a' },
      {
        text: 'Ask @advertiser, or read https://example.com/arches.',
        type: 'unstyled',
        inline_style_ranges: [{ offset: 0, length: 3, style: 'italic' }],
        entity_ranges: [{ key: 0, offset: 25, length: 26 }],
      },
    ],
    entities: [
      {
        key: '0',
        value: { type: 'link', mutability: 'mutable', data: { url: 'https://example.com/arches' } },
      },
    ],
  },
}
const plain = 'Why bridges stand\nAsk @advertiser, or read https://example.com/arches.'
const draft = 'POST /2/articles/draft'

/** Core reference, 09 part B. */
export const articles: Area = {
  name: 'articles',
  base: '{base_url}',
  as: 'guarded user',
  rows: [
    {
      it: 'a draft of an article',
      send: draft,
      json: article,
      status: 201,
      reply: { data: { id: keep('article', id64), title: 'Bridges, {run}' } },
      limit: 50,
    },
    {
      it: 'is published as a post',
      send: 'POST /2/articles/{article}/publish',
      status: 200,
      reply: { data: { post_id: keep('article_post', id64) } },
    },
    {
      it: 'once',
      send: 'POST /2/articles/{article}/publish',
      status: 200,
      reply: { data: { post_id: '{article_post}' } },
      limit: 50,
    },
    {
      it: 'the post has the article',
      send: 'GET /2/posts/{article_post}',
      query: { 'post.fields': 'article,article_title' },
      status: 200,
      reply: {
        data: {
          id: '{article_post}',
          text: 'Bridges, {run}',
          edit_history_post_ids: ['{article_post}'],
          article_title: 'Bridges, {run}',
          article: {
            title: 'Bridges, {run}',
            preview_text: plain,
            plain_text: plain,
            entities: {
              mentions: [{ start: 22, end: 33, username: 'advertiser', id: '{advertiser}' }],
              urls: [
                {
                  start: 43,
                  end: 69,
                  url: 'https://example.com/arches',
                  expanded_url: 'https://example.com/arches',
                  display_url: 'example.com/arches',
                },
              ],
            },
          },
        },
      },
    },
    {
      it: 'a user without a subscription writes none',
      send: draft,
      as: 'user',
      json: article,
      status: 403,
      reply: problem.plain(403, 'Forbidden', 'You need a Premium subscription to write articles.'),
    },
    {
      it: 'only the author publishes it',
      send: 'POST /2/articles/{article}/publish',
      as: 'user',
      status: 403,
      reply: problem.plain(403, 'Forbidden', 'You are not authorized to publish this article.'),
    },
    {
      it: 'an unknown article',
      send: 'POST /2/articles/456/publish',
      status: 200,
      reply: {
        errors: [
          {
            title: 'Not Found Error',
            type: '{problem_base}/2/problems/resource-not-found',
            detail: 'Could not find article with article_id: [456].',
            value: '456',
            parameter: 'article_id',
            resource_id: '456',
            resource_type: 'article',
          },
        ],
      },
    },
    {
      it: 'a range that no entity has',
      send: draft,
      json: {
        title: 'x',
        content_state: {
          blocks: [{ text: 'a', type: 'unstyled', entity_ranges: [{ key: 7, offset: 0, length: 1 }] }],
          entities: [],
        },
      },
      status: 400,
      reply: problem.invalidRequest([{ 'content_state.blocks[0]': ['7'] }, 'No entity has the key 7.']),
    },
  ],
}
