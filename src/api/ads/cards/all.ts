import type { Static } from 'typebox'
import { Type } from 'typebox'
import { base36, ids } from '../../../platform/http/schema.ts'
import type { AdsDependencies } from '../dependencies.ts'
import type { AdsEndpoint } from '../endpoint.ts'
import { adsEndpoint, LIMITS } from '../endpoint.ts'
import type { CellRow } from '../entity/fields.ts'
import { rowOf, shownMembers } from '../entity/fields.ts'
import type { ListDeclaration } from '../entity/list.ts'
import { readPage, withDeleted } from '../entity/list.ts'
import type { Entity } from '../entity/types.ts'
import type { AccountScope } from '../scope.ts'
import { COLUMNS, missingCard } from './card.ts'
import { cardUri } from './card-fields.ts'
import { componentCards } from './cards.ts'
import { base36Of, numberIn } from './find.ts'
import { FLAT_KINDS, FlatCard, flatCards } from './flat.ts'

const PATH = '/accounts/{account_id}/cards/all'
const source = 'Creatives (reference: cards fetch)'

const listAllCards = adsEndpoint({
  id: 'listAllCards',
  method: 'GET',
  path: PATH,
  summary: 'Get cards by URI',
  description:
    'Returns cards of every type, in the order of the request. A card with one medium and one destination is returned in the flat legacy form. Unknown card URIs are ignored.',
  source,
  right: 'read',
  limits: LIMITS.read,
  query: { card_uris: ids(cardUri('Id or URI of a card.'), 'The cards.'), with_deleted: withDeleted },
  data: Type.Array(FlatCard),
  async handle({ scope, query }, context) {
    const numbers = query.card_uris.map(numberIn)
    const selection = { numbers, base36: numbers.map(base36Of), withDeleted: query.with_deleted === true }
    const found = new Map((await cardsOf(selection, scope, context)).map((card) => [card.card_uri, card]))
    return { data: query.card_uris.flatMap((uri) => found.get(uri) ?? []) }
  },
})

const getAnyCard = adsEndpoint({
  id: 'getAnyCard',
  method: 'GET',
  path: `${PATH}/{card_id}`,
  summary: 'Get a card of any type',
  description: 'Returns one card in the format of `cards/all`.',
  source,
  right: 'read',
  limits: LIMITS.read,
  params: { card_id: base36('The card.') },
  query: { with_deleted: withDeleted },
  codes: ['CARD_NOT_FOUND'],
  data: FlatCard,
  async handle({ scope, params: { card_id }, query }, context) {
    const numbers = /^[0-9]{1,19}$/.test(card_id) ? [card_id] : []
    const selection = { numbers, base36: [card_id], withDeleted: query.with_deleted === true }
    const [card] = await cardsOf(selection, scope, context)
    if (!card) throw missingCard(scope.accountId, card_id)
    return { data: card }
  },
})

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
  { codec, declared }: Entity,
  rows: readonly CellRow[],
  at: { scope: AccountScope; context: AdsDependencies },
) {
  const items = rows.map((row) => codec.decode(row))
  await declared.derive?.(items, at)
  const shown = Object.keys(shownMembers(declared.fields))
  return items.map((item) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => shown.includes(name))),
  )
}

export const allCardEndpoints: readonly AdsEndpoint[] = [listAllCards, getAnyCard]
