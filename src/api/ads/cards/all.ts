import { Type } from 'typebox'
import { base36, ids } from '../../../platform/http/schema.ts'
import { adsEndpoint } from '../endpoint.ts'
import { withDeleted } from '../entity/list.ts'
import { cardUri, numberIn } from './card-fields.ts'
import { cards } from './cards.ts'
import { cardsOf, FlatCard } from './flat.ts'
import { base36Of } from './kinds.ts'

const PATH = '/accounts/{account_id}/cards/all'
const source = 'Creatives (reference: cards fetch)'

export const listAllCards = adsEndpoint({
  id: 'listAllCards',
  method: 'GET',
  path: PATH,
  summary: 'Get cards by URI',
  description:
    'Returns cards of every type, in the order of the request. A card with one medium and one destination is returned in the flat legacy form. Unknown card URIs are ignored.',
  source,
  right: 'read',
  query: { card_uris: ids(cardUri('Id or URI of a card.'), 'The cards.'), with_deleted: withDeleted },
  data: Type.Array(FlatCard),
  async handle({ scope, query }, context) {
    const numbers = query.card_uris.map(numberIn)
    const selection = { numbers, base36: numbers.map(base36Of), withDeleted: query.with_deleted === true }
    const found = new Map((await cardsOf(selection, scope, context)).map((card) => [card.card_uri, card]))
    return { data: query.card_uris.flatMap((uri) => found.get(uri) ?? []) }
  },
})

export const getAnyCard = adsEndpoint({
  id: 'getAnyCard',
  method: 'GET',
  path: `${PATH}/{card_id}`,
  summary: 'Get a card of any type',
  description: 'Returns one card in the format of `cards/all`.',
  source,
  right: 'read',
  params: { card_id: base36('The card.') },
  query: { with_deleted: withDeleted },
  codes: ['CARD_NOT_FOUND'],
  data: FlatCard,
  async handle({ scope, params: { card_id }, query }, context) {
    const numbers = /^[0-9]{1,19}$/.test(card_id) ? [card_id] : []
    const selection = { numbers, base36: [card_id], withDeleted: query.with_deleted === true }
    const [card] = await cardsOf(selection, scope, context)
    if (!card) throw cards.missing(scope.accountId, card_id)
    return { data: card }
  },
})
