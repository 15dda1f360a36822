import { Type } from 'typebox'
import { rulesOf } from '../../../domain/media/media.ts'
import { msg } from '../../../platform/http/message.ts'
import { choice, clearable, component, flag, ids, long, text } from '../../../platform/http/schema.ts'
import { adsApiError, rejected } from '../../../platform/protocols/ads/api-error.ts'
import { missingParameter } from '../../../platform/protocols/ads/codes.ts'
import { adsEndpoint } from '../endpoint.ts'
import { entity } from '../entity/entity.ts'
import { removable, required } from '../entity/fields.ts'
import { pageQuery, paging, readPage, sortBy, withDeleted } from '../entity/list.ts'
import type { WriteContext } from '../entity/types.ts'
import { deleteItem, throwErrors } from '../entity/write.ts'
import { useByKeys } from '../media/uses.ts'
import { cardName, cardUri, numberIn } from './card-fields.ts'
import { CARD_TYPES, type CardType, cardTypeOf, cardTypesOf, renamedCardTypes } from './card-types.ts'
import {
  type Component,
  Components,
  mediaNamed,
  Component as ShownComponent,
  Slides,
  wrongComponents,
} from './components.ts'
import { namedMedia, releaseCardMedia } from './media.ts'
import { cardEntity } from './shared.ts'

const PATH = '/accounts/{account_id}/cards'
const PAGE = 100
const MAX_PAGE = 200
const source = 'Creatives'

const parts = { components: Components, slides: Slides }

/** What callers send of a card. */
const bodies = {
  create: Type.Object({
    name: cardName,
    components: Type.Optional(parts.components),
    slides: Type.Optional(parts.slides),
  }),
  /**
   * `null` is accepted for a part that the card does not have, and for one that the update replaces
   * with the other.
   */
  update: component(
    'CardChange',
    Type.Object({
      name: Type.Optional(cardName),
      components: Type.Optional(clearable(parts.components)),
      slides: Type.Optional(clearable(parts.slides)),
    }),
  ),
}

const part = { ...removable, sparse: true } as const

const fields = {
  name: { schema: cardName, ...required },
  components: {
    schema: Type.Array(ShownComponent, { description: 'Components from top to bottom.' }),
    ...part,
  },
  slides: {
    schema: Type.Array(Type.Array(ShownComponent), {
      description: 'Slides of a carousel with several destinations; present instead of `components`.',
    }),
    ...part,
  },
  card_uri: { schema: cardUri('URI by which a post refers to the card.'), derived: 'fixed' },
  card_type: { schema: choice([...CARD_TYPES], 'Type, derived from its media and destination.', 'CardType') },
} as const

const uriOf = (id: string) => `card://${id}`

/** A card created from components. */
export const cards = entity({
  ...cardEntity,
  one: 'card',
  ids: 'decimal text',
  path: PATH,
  source,
  verbs: ['get', 'create', 'update', 'delete'],
  describe: {
    get: 'Returns a card that was created from components.',
    create:
      'Creates a card from a JSON body. Send `components`: either MEDIA or SWIPEABLE_MEDIA, and either DETAILS (links to a website) or BUTTON (links to an app). Or send `slides`, each with MEDIA and DETAILS.',
    update:
      'Changes a card with a JSON body. Each member that is sent replaces the stored member. You can send back a whole card as you read it.',
    delete:
      'Deletion is final. The card is still returned with `with_deleted`. Posts that show it are not deleted.',
  },
  bodies,
  filters: {
    card_types: { column: 'card_type', schema: renamedCardTypes },
    card_ids: { column: 'id', schema: ids(long('A card.'), 'Returns only the items with these ids.') },
  },
  codes: [
    'EXCLUSIVE_PARAMETERS',
    'INCLUSIVE_PARAMETERS',
    'INVALID_CARD_COMPONENTS_COMBINATION',
    'INVALID_IMAGE',
    'INVALID_MEDIA',
    'INVALID_PARAMETER',
    'MEDIA_NOT_FOUND',
    'MISSING_PARAMETER',
  ],
  fields,
  fixed: (_, { id }) => ({ card_uri: uriOf(id) }),
  complete: async ({ name, ...parts }, work) => ({ name, ...(await checkedParts(parts, work)) }),
  // Slides replace components, and vice versa.
  adjust: async (_, { supplied, ...work }) => (isOfParts(supplied) ? checkedParts(supplied, work) : {}),
  async after({ id, components, slides }, { before, supplied, ...work }) {
    if (before && !isOfParts(supplied)) return
    const keys = referencesIn({ components, slides }).map(({ key }) => key)
    await useByKeys({ table: 'cards', id }, keys, work)
  },
  afterDelete: ({ id }, work) => releaseCardMedia({ table: 'cards', id, uri: uriOf(id) }, work),
  async derive(items) {
    for (const item of items) item.card_uri = uriOf(item.id)
  },
})

/** The contents of a card. It has one of them. */
interface CardContents {
  readonly components?: Component[] | null
  readonly slides?: Component[][] | null
}

const isOfParts = ({ components, slides }: CardContents) => components !== undefined || slides !== undefined

/** The media that a card names, with where it names them. */
const referencesIn = ({ components, slides }: CardContents) => [
  ...mediaNamed(components ?? [], 'components'),
  ...(slides ?? []).flatMap((slide, index) => mediaNamed(slide, `slides[${index}]`)),
]

/** The contents of a card, with its type. Rejects invalid combinations. */
async function checkedParts(sent: CardContents, { tx, scope }: Pick<WriteContext, 'tx' | 'scope'>) {
  const { components = null, slides = null } = sent
  if (components && slides)
    throw rejected('slides', msg`components and slides are exclusive parameters`, 'EXCLUSIVE_PARAMETERS')
  if (!components && !slides) throw adsApiError(missingParameter('components'))
  throwErrors([
    ...(components ? wrongComponents(components, 'components', false) : []),
    ...(slides ?? []).flatMap((slide, index) => wrongComponents(slide, `slides[${index}]`, true)),
  ])
  const { media, errors } = await namedMedia(tx, scope.accountId, referencesIn({ components, slides }))
  throwErrors(errors)
  const kinds = [...media.values()].map((medium) => rulesOf(medium).kind)
  return { card_type: cardTypeOf({ components, slides }, kinds), components, slides }
}

const someIds = (description: string) => Type.Optional(ids(long('A card.'), description))

export const listCards = adsEndpoint({
  id: 'listCards',
  method: 'GET',
  path: PATH,
  summary: 'List cards',
  description:
    'Returns the cards that were created from components. Oldest first by default, by name when searched. Polls and conversations have lists of their own.',
  source,
  right: 'read',
  query: {
    card_types: Type.Optional(renamedCardTypes),
    card_id: someIds('Returns only the items with these ids.'),
    card_ids: someIds('The same as `card_id`.'),
    card_uris: Type.Optional(ids(cardUri('Id or URI of a card.'), 'Returns only the items with these ids.')),
    ...paging(MAX_PAGE, PAGE),
    include_legacy_cards: flag('Whether to include cards of legacy types. Plaza has none.'),
    q: Type.Optional(text(1, 80, 'Prefix of the name. Not case-sensitive.')),
    sort_by: sortBy(['created_at', 'updated_at', 'deleted', 'name']),
    with_deleted: withDeleted,
  },
  codes: ['UNKNOWN_CARD_TYPE'],
  data: Type.Array(cards.schema),
  beside: ['cursor'],
  async handle({ scope: { accountId: owner }, query }, context) {
    const { card_types, card_id, card_ids, card_uris, count = PAGE, with_deleted = false, ...rest } = query
    const types = card_types && cardTypesOf(card_types, context.naming.vocabulary)
    const ids = inAll([card_id, card_ids, card_uris?.map(numberIn)])
    if (ids?.length === 0) return { data: [], next_cursor: null }
    const page = {
      ...rest,
      count,
      with_deleted,
      with_total_count: false,
      ...(types && { card_types: types }),
      ...(ids && { card_ids: ids }),
    }
    const request = { owner, columns: cards.columns, page: pageQuery(page) }
    const { rows, next_cursor } = await readPage(cards.declared, request, context)
    const items = rows.map(cards.codec.decodeWhole)
    for (const item of items) item.card_uri = uriOf(item.id)
    return { data: items, next_cursor }
  },
})

/** The intersection of the lists that were sent; undefined if none was. */
function inAll(lists: readonly (readonly string[] | undefined)[]): string[] | undefined {
  const [first, ...others] = lists.filter((list) => list !== undefined)
  return first?.filter((id) => others.every((list) => list.includes(id)))
}

/**
 * The current types of the legacy kinds of cards. Cards for direct messages have no current type.
 */
const FORMER = {
  website: 'IMAGE_WEBSITE',
  video_website: 'VIDEO_WEBSITE',
  image_app_download: 'IMAGE_APP',
  video_app_download: 'VIDEO_APP',
  image_direct_message: undefined,
  video_direct_message: undefined,
} as const satisfies Record<string, CardType | undefined>

type FormerCardKind = keyof typeof FORMER

export const deleteFormerCard = adsEndpoint({
  id: 'deleteFormerCard',
  method: 'DELETE',
  path: `${PATH}/{card_type}/{card_id}`,
  summary: 'Delete a card by its legacy type',
  description:
    'The legacy path of six card types. Deletes a card of the corresponding current type; cards for direct messages do not exist. `poll`, `video_conversation` and `image_conversation` have paths of their own.',
  source,
  right: 'creatives',
  params: {
    card_type: choice(Object.keys(FORMER) as [FormerCardKind, ...FormerCardKind[]], 'A legacy card type.'),
    card_id: long('The card.'),
  },
  codes: ['CARD_NOT_FOUND'],
  data: cards.schema,
  handle: ({ scope, principal, params: { card_type, card_id } }, context) =>
    context.store.write(async (tx) => {
      const work = { tx, scope, caller: principal, context, now: context.clock.now() }
      const card = await cards.find(work, card_id, 'locked')
      if (card?.card_type !== FORMER[card_type] || !card) throw cards.missing(scope.accountId, card_id)
      return { data: { ...(await deleteItem(cards, card_id, work)), card_uri: uriOf(card_id) } }
    }),
})
