import type { Static, TSchema } from 'typebox'
import { Type } from 'typebox'
import { mediaPath, rulesOf, urlOf } from '../../../domain/media/media.ts'
import type { MediaRow } from '../../../domain/media/tables.ts'
import { base36, choice, component, instant, long, nullable } from '../../../platform/http/schema.ts'
import { shownLink } from '../../../platform/text/links.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { untyped } from '../entity/entity.ts'
import type { CellRow } from '../entity/fields.ts'
import { rowOf, shownMembers } from '../entity/fields.ts'
import type { ListDeclaration } from '../entity/list.ts'
import { readPage } from '../entity/list.ts'
import type { Entity } from '../entity/types.ts'
import type { AccountScope } from '../scope.ts'
import { COLUMNS, shownCard } from './card.ts'
import { cardName, cardUri } from './card-fields.ts'
import type { CardType } from './card-types.ts'
import { CARD_TYPES } from './card-types.ts'
import { componentCards } from './cards.ts'
import type { Component } from './components.ts'
import { Component as ComponentForm } from './components.ts'
import { imageConversationCards, videoConversationCards } from './conversations.ts'
import { pollCards } from './polls.ts'
import { mediaOf, wholeVideoMembers } from './shared.ts'

// Cards of any kind in the flat form, which is older than components: every member at the top (reference: cards fetch).
// Polls and conversations still have this form.

/** Legacy names of cards with one medium and one destination. Carousels only exist with components. */
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
] as const

/** The kinds that were never created from components. */
const FLAT_KINDS: readonly Entity[] = [
  untyped(pollCards),
  untyped(videoConversationCards),
  untyped(imageConversationCards),
]

const someText = (description: string) => Type.String({ description })

/** Present if the card has them. */
const members: Readonly<Record<string, TSchema>> = {
  ...Object.assign({}, ...FLAT_KINDS.map(({ members }) => shownMembers(members))),
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
export const FlatCard = component(
  'AnyCard',
  Type.Object(
    {
      ...Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, Type.Optional(schema)])),
      id: base36('Id, unique among the cards of this type.'),
      name: cardName,
      card_uri: cardUri('URI by which a post refers to the card.'),
      card_type: choice([...TYPES], 'Type of the card. Cards with one media file have their legacy types.'),
      created_at: instant('When it was created.'),
      updated_at: instant('When it was last updated.'),
      deleted: Type.Boolean({ description: 'Whether it was deleted.' }),
    },
    { additionalProperties: false },
  ),
)

/** Cards created from components. Reads their media at once. */
async function flatCards(rows: readonly CellRow[], context: Pick<AdsDependencies, 'store' | 'mediaOrigin'>) {
  const cards = rows.map(shownCard)
  const keys = cards.flatMap(({ components = [] }) => components.map(({ media_key }) => media_key))
  const media = await mediaOf(keys, context)
  return cards.map((card) => {
    const { components = [], card_type: type, ...common } = card
    if (!isFlat(type)) return card
    const medium = media.get(components.find((component) => component.type === 'MEDIA')?.media_key ?? '')
    const end = components.find((component) => component.type !== 'MEDIA')
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
  /** Cards created from components. */
  numbers: readonly string[]
  /** Cards of the other kinds. */
  base36: readonly string[]
  withDeleted: boolean
}

/** Cards of an account by their ids, in the flat form. */
export async function cardsOf(
  { numbers, base36, withDeleted }: CardSelection,
  scope: AccountScope,
  context: AdsDependencies,
) {
  const read = (listed: ListDeclaration, columns: readonly string[], card_ids: readonly string[]) =>
    rowsOf({ listed, columns, card_ids, withDeleted }, scope, context)
  const [made, ...others] = await Promise.all([
    read(componentCards, COLUMNS, numbers).then((rows) => flatCards(rows, context)),
    ...FLAT_KINDS.map(async (kind) =>
      shownOf(kind, await read(kind.declared, kind.columns, base36), { scope, context }),
    ),
  ])
  return [...made, ...others.flat()] as Static<typeof FlatCard>[]
}

interface ListedCardsRequest {
  listed: ListDeclaration
  columns: readonly string[]
  card_ids: readonly string[]
  withDeleted: boolean
}

async function rowsOf(
  { listed, columns, card_ids, withDeleted }: ListedCardsRequest,
  { accountId: owner }: AccountScope,
  context: Pick<AdsDependencies, 'store' | 'sealer' | 'clock'>,
): Promise<CellRow[]> {
  if (card_ids.length === 0) return []
  const page = { count: card_ids.length, card_ids, with_deleted: withDeleted, with_total_count: false }
  const { rows } = await readPage(listed, { owner, columns, page }, context)
  return rows.map((cells) => rowOf(columns, cells))
}

/** Cards of a kind that always has the flat form, with the members that it shows. */
async function shownOf(
  { codec, declared, members }: Entity,
  rows: readonly CellRow[],
  at: { scope: AccountScope; context: AdsDependencies },
) {
  const items = rows.map((row) => codec.decode(row))
  await declared.derive?.(items, at)
  const shown = Object.keys(shownMembers(members))
  return items.map((item) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => shown.includes(name))),
  )
}
