import { Type } from 'typebox'
import { isExpired } from '../../../domain/media/media.ts'
import { lockMedia, setAltText } from '../../../domain/media/queries.ts'
import { msg } from '../../../platform/http/message.ts'
import { empty, json } from '../../../platform/http/reply-kinds.ts'
import { component, id, ignored, text } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { actionEndpoint } from '../actions.ts'
import { wrong } from '../posts/wrong.ts'

const MAX_ALT_TEXT = 1_000
const closed = { additionalProperties: false }

const altText = component(
  'AltText',
  Type.Object({ text: text(0, MAX_ALT_TEXT, 'Alternative text: up to 1,000 characters.') }, closed),
)
const metadata = component(
  'AssociatedMetadata',
  Type.Object({ alt_text: Type.Optional(altText) }, { ...closed, description: 'What Plaza stores.' }),
)

/** Members of the public description that Plaza does not use. */
const UNUSED = [
  'allow_download_status',
  'audience_policy',
  'content_expiration',
  'domain_restrictions',
  'found_media_origin',
  'geo_restrictions',
  'management_info',
  'preview_image',
  'sensitive_media_warning',
  'shared_info',
  'sticker_info',
  'upload_source',
] as const

const sentMetadata = component(
  'SentMediaMetadata',
  Type.Object(
    {
      alt_text: Type.Optional(altText),
      ...Object.fromEntries(UNUSED.map((name) => [name, Type.Optional(ignored('Accepted and ignored.'))])),
    },
    closed,
  ),
)

/**
 * Sets the alternative text of a medium, unless it is undefined. Only its owner can: resolves to
 * false for everyone else.
 */
async function describe(
  { mediaId, userId, words }: { mediaId: string; userId: string; words: string | undefined },
  { store }: { store: Store },
): Promise<boolean> {
  return store.write(async (tx) => {
    const row = await tx.first(lockMedia, { id: mediaId })
    if (!row || row.owner_id !== userId || isExpired(row, tx.now)) return false
    if (words !== undefined) await tx.run(setAltText, { id: mediaId, text: words === '' ? null : words })
    return true
  })
}

/** POST /2/media/metadata: the alternative text of a medium. */
export const describeMedium = actionEndpoint({
  id: 'describeMedium',
  host: 'core',
  method: 'POST',
  path: '/2/media/metadata',
  summary: 'Set the alternative text of a media file',
  description:
    'Sets the alternative text of a media file that the user uploaded. An empty text removes it. Other members of `metadata` are accepted and ignored.',
  source: 'Media',
  auth: ['user'],
  scopes: ['media.write'],
  limits: { user: '500/15m' },
  body: component(
    'MediaMetadataBody',
    Type.Object({ id: id('The medium.'), metadata: Type.Optional(sentMetadata) }, closed),
  ),
  reply: Type.Object(
    {
      data: component(
        'MediaMetadata',
        Type.Object({ id: id('The medium.'), associated_metadata: metadata }, closed),
      ),
    },
    closed,
  ),
  example: {
    body: { id: '1900000000000000003', metadata: { alt_text: { text: 'A bridge' } } },
    reply: {
      data: { id: '1900000000000000003', associated_metadata: { alt_text: { text: 'A bridge' } } },
    },
  },
  async handle({ principal, body }, dependencies) {
    const { alt_text } = body.metadata ?? {}
    const words = alt_text?.text
    const isOwn = await describe({ mediaId: body.id, userId: principal.userId, words }, dependencies)
    if (!isOwn) throw wrong('id', body.id, msg`Your media IDs are invalid.`)
    return json({ data: { id: body.id, associated_metadata: { ...(alt_text && { alt_text }) } } })
  },
})

/** POST /1.1/media/metadata/create.json: the same, as older clients send it. */
export const createMediaMetadata = actionEndpoint({
  id: 'createMediaMetadata',
  host: 'core',
  method: 'POST',
  path: '/1.1/media/metadata/create.json',
  summary: 'Set the alternative text of a media file (older clients)',
  description: 'Sets the alternative text of a media file that the user uploaded. An empty text removes it.',
  source: 'Media',
  auth: ['user'],
  scopes: ['media.write'],
  limits: { user: '500/15m' },
  body: component('MediaMetadataCreateBody', Type.Object({ media_id: id('The medium.'), alt_text: altText })),
  status: 204,
  replyKind: 'empty',
  reply: Type.Object({}),
  errors: ['media not found'],
  async handle({ principal, body }, dependencies) {
    const words = body.alt_text.text
    const isOwn = await describe({ mediaId: body.media_id, userId: principal.userId, words }, dependencies)
    if (!isOwn) throw apiError('media not found')
    return empty()
  },
})
