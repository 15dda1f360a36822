import type { Vocabulary } from '../../platform/http/vocabulary.ts'
import { type Entities, entitiesBefore, lengthOf, movedEntities } from '../../platform/text/entities.ts'
import { shortened } from './weight.ts'

const REPOST_WEIGHT = 140
/** The word that a repost begins with. A vocabulary renames it. */
export const REPOST_PREFIX = 'RP'

/** The post that is reposted. */
export interface OriginalPost {
  text: string
  entities: Entities
  author: { id: string; screenName: string }
}

export type RepostVocabulary = Pick<Vocabulary, 'name'>

/**
 * The text of a repost: the author and the beginning of the post, with the entities of the post
 * that it contains. They are not searched for in the new text, because the beginning of a name or
 * tag is often another name or tag.
 */
export function repostText(
  { text, entities, author }: OriginalPost,
  vocabulary: RepostVocabulary,
): { text: string; entities: Entities } {
  const name = `@${author.screenName}`
  const prefix = `${vocabulary.name(REPOST_PREFIX)} ${name}: `
  const moved = movedEntities(entities, prefix.length)
  const whole = `${prefix}${text}`
  const shown = shortened(whole, REPOST_WEIGHT, moved.urls)
  // The last character of a truncated text is the ellipsis.
  const end = shown === whole ? Number.POSITIVE_INFINITY : lengthOf(shown) - 1
  const start = prefix.indexOf(name)
  const mention = { start, end: start + name.length, username: author.screenName, id: author.id }
  const all = { ...moved, mentions: [mention, ...moved.mentions] }
  return { text: shown, entities: entitiesBefore(all, end) }
}
