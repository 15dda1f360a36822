import { query } from '../../../src/app/tables.ts'
import { articlesOf } from '../../support/articles.ts'
import type { Recipe } from './recipe.ts'

const subscribe = query<{ id: string }>('subscribeOfRecipe', (db, at) =>
  db.updateTable('users').set({ subscription_type: 'Premium' }).where('id', '=', at.id),
)

const content_state = {
  blocks: [
    { text: 'A bridge', type: 'header-one', inline_style_ranges: [{ offset: 0, length: 1, style: 'bold' }] },
  ],
  entities: [],
}

/** Calls of the endpoints of articles. */
export const articleRecipes: Readonly<Record<string, Recipe>> = {
  draftArticle: async ({ plaza: { context } }, { user }) => {
    await context.store.write((tx) => tx.run(subscribe, { id: user.id }))
    return { json: { title: 'Bridges', content_state } }
  },
  publishArticle: async ({ plaza: { context } }, { user }) => ({
    params: { article_id: await articlesOf(context).draft(user.id) },
  }),
}
