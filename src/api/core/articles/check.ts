import { canShow, isMadeFor } from '../../../domain/media/media.ts'
import { lockMediaMany, mediaByIds } from '../../../domain/media/queries.ts'
import type { MediaRow } from '../../../domain/media/tables.ts'
import { isBlank } from '../../../platform/common/visible.ts'
import { msg } from '../../../platform/http/message.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { wrong } from '../posts/wrong.ts'
import { type DraftBody, MAX_PLAIN_TEXT, type Medium } from './body.ts'

type Content = DraftBody['content_state']
type Block = Content['blocks'][number]

/** The text of an article, a line for each block. */
export const plainTextOf = ({ blocks }: Content): string => blocks.map(({ text }) => text).join('\n')

/** Rejects what refers to nothing: ranges outside a text, unknown entities, incomplete ones. */
export function checkContent({ title, content_state: content }: DraftBody): void {
  if (isBlank(title)) throw wrong('title', title, msg`The title needs a visible character.`)
  const { length } = plainTextOf(content)
  if (length > MAX_PLAIN_TEXT)
    throw wrong(
      'content_state.blocks',
      String(length),
      msg`The text may have ${MAX_PLAIN_TEXT} characters, not ${length}.`,
    )
  const keys = new Set<string>()
  for (const entity of content.entities) {
    if (keys.has(entity.key))
      throw wrong('content_state.entities', entity.key, msg`Two entities have the key ${entity.key}.`)
    keys.add(entity.key)
    checkEntity(entity)
  }
  for (const [index, block] of content.blocks.entries()) checkRanges(block, index, keys)
}

/** What an entity of a type needs; entities of other types need nothing. */
const NEEDED = { image: 'media_items', link: 'url', markdown: 'markdown', post: 'post_id' } as const

function checkEntity({ key, value: { type, data } }: Content['entities'][number]): void {
  const name = type in NEEDED ? NEEDED[type as keyof typeof NEEDED] : undefined
  if (name && (data[name] === undefined || data[name].length === 0))
    throw wrong('content_state.entities', key, msg`The entity ${key} of the type ${type} needs ${name}.`)
  if (type === 'link' && !/^https?:\/\/[^\s/]/i.test(data.url ?? ''))
    throw wrong('content_state.entities', key, msg`The link ${key} needs a URL with http or https.`)
}

function checkRanges(block: Block, index: number, keys: ReadonlySet<string>): void {
  const { text, inline_style_ranges: styles = [], entity_ranges: entities = [], data = {} } = block
  const at = `content_state.blocks[${index}]`
  for (const { offset, length } of [...styles, ...entities])
    if (offset + length > text.length)
      throw wrong(
        at,
        `${offset}+${length}`,
        msg`A range ends after the ${text.length} characters of its block.`,
      )
  for (const { key } of entities)
    if (!keys.has(String(key))) throw wrong(at, String(key), msg`No entity has the key ${key}.`)
  for (const { from_index: from, to_index: to } of Object.values(data).flat())
    if (to < from || to > text.length)
      throw wrong(at, `${from}-${to}`, msg`A range ends after the ${text.length} characters of its block.`)
}

/** The media of an article: the cover, and those in the text. */
export interface ArticleMedia {
  readonly cover: MediaRow | undefined
  readonly inText: readonly MediaRow[]
}

/** Reads and locks the media. Rejects unknown ones, and those with another category. */
export async function readMedia(
  tx: Transaction,
  { cover_media, content_state }: DraftBody,
  userId: string,
): Promise<ArticleMedia> {
  const named = content_state.entities.flatMap(({ value }) => value.data.media_items ?? [])
  const wanted = cover_media ? [cover_media, ...named] : named
  const known = await lockedMedia(
    tx,
    wanted.map(({ media_id }) => media_id),
    userId,
  )
  const found = (one: Medium, parameter: string) => {
    const row = known.get(one.media_id)
    if (!row) throw wrong(parameter, one.media_id, msg`Your media IDs are invalid.`)
    if (row.category !== one.media_category.toUpperCase())
      throw wrong(parameter, one.media_category, msg`The medium ${one.media_id} has another category.`)
    return row
  }
  return {
    cover: cover_media && found(cover_media, 'cover_media'),
    inText: named.map((one) => found(one, 'content_state.entities')),
  }
}

/** The media that the user may show in posts, locked, by id. */
export async function lockedMedia(
  tx: Transaction,
  mediaIds: readonly string[],
  userId: string,
): Promise<ReadonlyMap<string, MediaRow>> {
  if (mediaIds.length === 0) return new Map()
  const ids = JSON.stringify([...new Set(mediaIds)])
  await tx.all(lockMediaMany, { ids })
  const rows = await tx.all(mediaByIds, { ids })
  const usable = rows.filter((row) => canShow(row, userId, tx.now) && isMadeFor(row, 'posts'))
  return new Map(usable.map((row) => [row.id, row]))
}
