import { Type } from 'typebox'
import { component } from '../../platform/http/schema.ts'
import type { Store } from '../../platform/storage/store.ts'
import { lengthOf, linkOf } from '../../platform/text/entities.ts'
import { Link } from '../../platform/text/entity-fields.ts'
import { newestSuggestions, suggestedLinks } from './queries.ts'

// What users suggest who request notes on posts (core reference, 00 section 6.2).

const closed = { additionalProperties: false }

export const SourceLinks = Type.Array(Link, {
  description: 'Sources that requests for a note name, the most frequent first.',
})

export const SourceLinksWithCounts = component(
  'SuggestedSourceLink',
  Type.Object({ count: Type.Integer({ minimum: 1 }), url: Link }, closed),
  'The source that most requests for a note name.',
)

export const NoteRequestSuggestion = component(
  'NoteRequestSuggestion',
  Type.Object(
    {
      suggestion_id: Type.String({ description: 'The suggestion.' }),
      suggestion: Type.String({ description: 'What the note should say.' }),
      source_link: Type.Optional(Link),
    },
    closed,
  ),
  'The newest suggestion of a request for a note.',
)

const entityOf = (url: string) => ({ start: 0, end: lengthOf(url), ...linkOf(url) })

/** The sources that requests for notes on posts name, by the ids of the posts. */
export async function sourceLinksOf(ids: readonly string[], store: Pick<Store, 'all'>) {
  const rows = ids.length === 0 ? [] : await store.all(suggestedLinks, { ids: JSON.stringify(ids) })
  const byPost = Map.groupBy(rows, ({ post_id }) => post_id)
  return (id: string) => {
    const links = byPost
      .get(id)
      ?.map(({ source_link: url, count }) => ({ count: Number(count), url: entityOf(url) }))
    return links && links.length > 0 ? links : undefined
  }
}

/** The newest suggestions of requests for notes on posts, by the ids of the posts. */
export async function suggestionsOf(ids: readonly string[], store: Pick<Store, 'all'>) {
  const rows = ids.length === 0 ? [] : await store.all(newestSuggestions, { ids: JSON.stringify(ids) })
  const byPost = new Map(rows.map((row) => [row.post_id, row]))
  return (id: string) => {
    const { suggestion_id, suggestion, source_link } = byPost.get(id) ?? {}
    if (!suggestion_id || !suggestion) return undefined
    return { suggestion_id, suggestion, ...(source_link && { source_link: entityOf(source_link) }) }
  }
}
