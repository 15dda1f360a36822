import { Type } from 'typebox'
import type { UserCaller } from '../../../identity/auth/principal.ts'
import { choice, ids, long, text } from '../../../platform/http/schema.ts'
import type { AdsCode } from '../../../platform/protocols/ads/codes.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { adsEndpoint, LIMITS } from '../endpoint.ts'
import type { CellRow } from '../entity/fields.ts'
import { rowOf } from '../entity/fields.ts'
import { pageQuery, paging, readPage, sortBy, withDeleted } from '../entity/list.ts'
import type { WriteContext } from '../entity/types.ts'
import type { AccountScope } from '../scope.ts'
import {
  addCard,
  Card,
  CardChange,
  CardParts,
  COLUMNS,
  cardReadOnly,
  cardRows,
  changeCard,
  missingCard,
  removeCard,
  shownCard,
} from './card.ts'
import { cardName, cardUri } from './card-fields.ts'
import type { CardType } from './card-types.ts'
import { cardTypesOf, renamedCardTypes } from './card-types.ts'
import { numberIn } from './find.ts'

const PATH = '/accounts/{account_id}/cards'
const PAGE = 100
const MAX_PAGE = 200
const source = 'Creatives'
const params = { card_id: long('The card.') }
const someIds = (description: string) => Type.Optional(ids(long('A card.'), description))

/** Cards created from components, as a list reads them. */
export const componentCards = {
  table: 'cards',
  path: PATH,
  filters: {
    card_types: { column: 'card_type', schema: renamedCardTypes },
    card_ids: { column: 'id', schema: ids(long('A card.'), 'Returns only the items with these ids.') },
  },
  search: true,
  sort: { name: 'name_key' },
} as const

export const listCards = adsEndpoint({
  id: 'listCards',
  method: 'GET',
  path: PATH,
  summary: 'List cards',
  description:
    'Returns the cards that were created from components. Oldest first by default, by name when searched. Polls and conversations have lists of their own.',
  source,
  right: 'read',
  limits: LIMITS.read,
  query: {
    card_types: Type.Optional(renamedCardTypes),
    card_id: someIds('Returns only the items with these ids.'),
    card_ids: someIds('The same as `card_id`.'),
    card_uris: Type.Optional(ids(cardUri('Id or URI of a card.'), 'Returns only the items with these ids.')),
    ...paging(MAX_PAGE, PAGE),
    include_legacy_cards: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether to include cards of legacy types. Plaza has none.',
      }),
    ),
    q: Type.Optional(text(1, 80, 'Prefix of the name. Not case-sensitive.')),
    sort_by: sortBy(['created_at', 'updated_at', 'deleted', 'name']),
    with_deleted: withDeleted,
  },
  codes: ['UNKNOWN_CARD_TYPE'],
  data: Type.Array(Card),
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
    const { rows, next_cursor } = await readPage(
      componentCards,
      { owner, columns: COLUMNS, page: pageQuery(page) },
      context,
    )
    return { data: rows.map((cells) => shownCard(rowOf(COLUMNS, cells))), next_cursor }
  },
})

/** The intersection of the lists that were sent; undefined if none was. */
function inAll(lists: readonly (readonly string[] | undefined)[]): string[] | undefined {
  const [first, ...others] = lists.filter((list) => list !== undefined)
  return first?.filter((id) => others.every((list) => list.includes(id)))
}

export const getCard = adsEndpoint({
  id: 'getCard',
  method: 'GET',
  path: `${PATH}/{card_id}`,
  summary: 'Get a card',
  description: 'Returns a card that was created from components.',
  source,
  right: 'read',
  limits: LIMITS.read,
  params,
  query: { with_deleted: withDeleted },
  codes: ['CARD_NOT_FOUND'],
  data: Card,
  async handle({ scope: { accountId }, params: { card_id }, query }, { store }) {
    const row = await store.first(cardRows.byId, { account: accountId, id: card_id })
    if (!row || (row.deleted !== 0 && !query.with_deleted)) throw missingCard(accountId, card_id)
    return { data: shownCard(row) }
  },
})

/** Runs a write of one card in a transaction of its own. */
async function writing(
  { scope, principal }: { scope: AccountScope; principal: UserCaller },
  context: AdsDependencies,
  work: (work: WriteContext) => Promise<CellRow>,
) {
  const row = await context.store.write((tx) =>
    work({ tx, scope, caller: principal, context, now: context.clock.now() }),
  )
  return { data: shownCard(row) }
}

const codes: readonly AdsCode[] = [
  'EXCLUSIVE_PARAMETERS',
  'INCLUSIVE_PARAMETERS',
  'INVALID_CARD_COMPONENTS_COMBINATION',
  'INVALID_IMAGE',
  'INVALID_MEDIA',
  'INVALID_PARAMETER',
  'MEDIA_NOT_FOUND',
  'MISSING_PARAMETER',
]

export const createCard = adsEndpoint({
  id: 'createCard',
  method: 'POST',
  path: PATH,
  summary: 'Create a card',
  description:
    'Creates a card from a JSON body. Send `components`: either MEDIA or SWIPEABLE_MEDIA, and either DETAILS (links to a website) or BUTTON (links to an app). Or send `slides`, each with MEDIA and DETAILS.',
  source,
  right: 'creatives',
  limits: LIMITS.write,
  body: Type.Object({ ...CardParts.properties, name: cardName }),
  status: 201,
  codes,
  data: Card,
  handle: (call, context) => writing(call, context, (work) => addCard(call.body, work)),
})

export const updateCard = adsEndpoint({
  id: 'updateCard',
  method: 'PUT',
  path: `${PATH}/{card_id}`,
  summary: 'Update a card',
  description:
    'Changes a card with a JSON body. Each member that is sent replaces the stored member. You can send back a whole card as you read it.',
  source,
  right: 'creatives',
  limits: LIMITS.write,
  params,
  body: CardChange,
  readOnly: cardReadOnly,
  codes: ['CARD_NOT_FOUND', ...codes],
  data: Card,
  handle: (call, context) =>
    writing(call, context, (work) => changeCard(call.params.card_id, call.body, work, call.sentBack)),
})

export const deleteCard = adsEndpoint({
  id: 'deleteCard',
  method: 'DELETE',
  path: `${PATH}/{card_id}`,
  summary: 'Delete a card',
  description:
    'Deletion is final. The card is still returned with `with_deleted`. Posts that show it are not deleted.',
  source: 'Creatives (reference: cards)',
  right: 'creatives',
  limits: LIMITS.write,
  params,
  codes: ['CARD_NOT_FOUND'],
  data: Card,
  handle: (call, context) => writing(call, context, (work) => removeCard(call.params.card_id, work)),
})

/** The current types of the legacy kinds of cards. Cards for direct messages have no current type. */
const FORMER = {
  website: 'IMAGE_WEBSITE',
  video_website: 'VIDEO_WEBSITE',
  image_app_download: 'IMAGE_APP',
  video_app_download: 'VIDEO_APP',
  image_direct_message: undefined,
  video_direct_message: undefined,
} as const satisfies Record<string, CardType | undefined>

type FormerCardKind = keyof typeof FORMER

async function deleteFormer(cardId: string, kind: FormerCardKind, work: WriteContext): Promise<CellRow> {
  const type = FORMER[kind]
  if (type === undefined) throw missingCard(work.scope.accountId, cardId)
  return removeCard(cardId, work, type)
}

export const deleteFormerCard = adsEndpoint({
  id: 'deleteFormerCard',
  method: 'DELETE',
  path: `${PATH}/{card_type}/{card_id}`,
  summary: 'Delete a card by its legacy type',
  description:
    'The legacy path of six card types. Deletes a card of the corresponding current type; cards for direct messages do not exist. `poll`, `video_conversation` and `image_conversation` have paths of their own.',
  source,
  right: 'creatives',
  limits: LIMITS.write,
  params: {
    card_type: choice(Object.keys(FORMER) as [FormerCardKind, ...FormerCardKind[]], 'A legacy card type.'),
    ...params,
  },
  codes: ['CARD_NOT_FOUND'],
  data: Card,
  handle: (call, context) =>
    writing(call, context, (work) => deleteFormer(call.params.card_id, call.params.card_type, work)),
})
