import { type Static, type TSchema, Type } from 'typebox'
import { mediaPath, rulesOf, urlOf } from '../../../domain/media/media.ts'
import type { MediaRow } from '../../../domain/media/tables.ts'
import { base36, choice, closedComponent, instant, long, nullable } from '../../../platform/http/schema.ts'
import { shownLink } from '../../../platform/text/links.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { type EntityItem, type Fields, shownMembers } from '../entity/fields.ts'
import { readPage } from '../entity/list.ts'
import type { Entity } from '../entity/types.ts'
import type { AccountScope } from '../scope.ts'
import { cardName, cardUri } from './card-fields.ts'
import { CARD_TYPES, type CardType } from './card-types.ts'
import type { cards } from './cards.ts'
import { type Component, Component as ComponentForm } from './components.ts'
import { CARD_KINDS, isDecimal } from './kinds.ts'
import { mediaOf, wholeVideoMembers } from './shared.ts'

// Cards of any kind in the flat form, which is older than components: every member at the top
// (reference: cards fetch). Polls and conversations still have this form.

/**
 * Legacy names of cards with one medium and one destination. Carousels only exist with components.
 */
const FORMER_TYPES = {
  IMAGE_APP: 'IMAGE_APP_DOWNLOAD',
  IMAGE_WEBSITE: 'WEBSITE',
  VIDEO_APP: 'VIDEO_APP_DOWNLOAD',
  VIDEO_WEBSITE: 'VIDEO_WEBSITE',
} as const satisfies Partial<Record<CardType, string>>

const isFlat = (type: string): type is keyof typeof FORMER_TYPES => Object.hasOwn(FORMER_TYPES, type)

const TYPES = [
  ...Object.values(FORMER_TYPES),
  ...CARD_TYPES.filter((type) => !isFlat(type)),
  'TEXT_POLLS',
  'IMAGE_POLLS',
  'VIDEO_POLLS',
  'VIDEO_CONVERSATION',
  'IMAGE_CONVERSATION',
  'DYNAMIC_PRODUCT',
] as const

/** Whether the cards of a kind were created from components. */
const hasComponents = ({ members }: Entity) => 'components' in members

const someText = (description: string) => Type.String({ description })

/** Present if the card has them. */
const members: Readonly<Record<string, TSchema>> = {
  ...Object.assign(
    {},
    ...CARD_KINDS.filter((kind) => !hasComponents(kind)).map(({ members }) => shownMembers(members)),
  ),
  title: nullable(someText('URL or text of a website or a conversation card.')),
  website_url: someText('URL that a website card links to.'),
  website_dest_url: someText('The same value as `website_url`.'),
  website_display_url: someText('The same URL, as it is displayed.'),
  website_shortened_url: someText('The same URL: Plaza does not shorten it.'),
  app_cta: someText('Label of the button of an app card.'),
  country_code: someText('The store of an app.'),
  googleplay_app_id: someText('App identifier, for an app.'),
  ios_app_store_identifier: someText('App identifier, for an app.'),
  googleplay_deep_link: someText('Deep link into the app.'),
  ios_deep_link: someText('Deep link into the app.'),
  wide_app_image: someText('URL of the image of an app card.'),
  video_content_id: long('The video.'),
  components: Type.Array(ComponentForm, { description: 'Components of a carousel.' }),
  slides: Type.Array(Type.Array(ComponentForm), {
    description: 'Slides of a carousel with several destinations.',
  }),
}

/** A card of any kind. Sizes are text. */
export const FlatCard = closedComponent('AnyCard', {
  ...Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, Type.Optional(schema)])),
  id: base36('Id, unique among the cards of this type.'),
  name: nullable(cardName),
  card_uri: cardUri('URI by which a post refers to the card.'),
  card_type: choice([...TYPES], 'Type of the card. Cards with one media file have their legacy types.'),
  created_at: instant('When it was created.'),
  updated_at: instant('When it was last updated.'),
  deleted: Type.Boolean({ description: 'Whether it was deleted.' }),
})

type ComponentCard = Static<typeof cards.schema>

/** Cards created from components. Reads their media at once. */
async function flatCards(
  found: readonly ComponentCard[],
  context: Pick<AdsDependencies, 'store' | 'mediaOrigin'>,
) {
  const keys = found.flatMap(({ components }) => (components ?? []).map(({ media_key }) => media_key))
  const media = await mediaOf(keys, context)
  return found.map((card) => {
    const { components, slides, card_type: type, ...common } = card
    if (!isFlat(type)) return card
    const parts = components ?? []
    const medium = media.get(parts.find((part) => part.type === 'MEDIA')?.media_key ?? '')
    const end = parts.find((part) => part.type !== 'MEDIA')
    return {
      ...common,
      card_type: FORMER_TYPES[type],
      ...(medium && mediumMembers(medium, end?.type, context)),
      ...(end && endMembers(end)),
    }
  })
}

function mediumMembers(
  medium: MediaRow,
  end: Component['type'] | undefined,
  context: Pick<AdsDependencies, 'mediaOrigin'>,
) {
  if (rulesOf(medium).kind === 'VIDEO')
    return {
      ...wholeVideoMembers(medium, context),
      video_owner_id: medium.owner_id,
      video_content_id: medium.id,
    }
  return {
    [end === 'BUTTON' ? 'wide_app_image' : 'image']: urlOf(mediaPath(medium), context),
    image_display_width: String(medium.width),
    image_display_height: String(medium.height),
  }
}

/** The destination of a card. */
function endMembers({ type, title, label, destination }: Component) {
  const { type: _, url, ...app } = destination ?? {}
  if (type === 'BUTTON') return { app_cta: label?.value, ...app }
  return {
    title,
    website_url: url,
    website_dest_url: url,
    website_display_url: url && shownLink(url),
    website_shortened_url: url,
  }
}

interface CardSelection {
  /** Cards whose ids are the numbers in their URIs. */
  numbers: readonly string[]
  /** Polls and conversations. */
  base36: readonly string[]
  withDeleted: boolean
}

/** Cards of an account by their ids, in the flat form. */
export async function cardsOf(
  { numbers, base36, withDeleted }: CardSelection,
  scope: AccountScope,
  context: AdsDependencies,
) {
  const found = CARD_KINDS.map(async (kind) => {
    const card_ids = isDecimal(kind) ? numbers : base36
    if (card_ids.length === 0) return []
    const page = { count: card_ids.length, card_ids, with_deleted: withDeleted, with_total_count: false }
    const request = { owner: scope.accountId, columns: kind.columns, page }
    const { rows } = await readPage(kind.declared, request, context)
    const items = rows.map(kind.codec.decodeWhole)
    await kind.declared.derive?.(items, { scope, context })
    return hasComponents(kind)
      ? flatCards(items as unknown as ComponentCard[], context)
      : items.map((item) => ({ name: null, ...shownOf(kind, item) }))
  })
  return (await Promise.all(found)).flat() as Static<typeof FlatCard>[]
}

/** The members of a card that its kind shows. */
const shownOf = ({ members }: Entity, item: EntityItem<Fields>) =>
  Object.fromEntries(Object.keys(shownMembers(members)).map((name) => [name, item[name]]))
