import type { Static } from 'typebox'
import { Type } from 'typebox'
import { rulesOf } from '../../../domain/media/media.ts'
import type { SentBack } from '../../../platform/http/input/read-only.ts'
import { changesOf } from '../../../platform/http/input/read-only.ts'
import { msg } from '../../../platform/http/message.ts'
import { choice, clearable, component, id, ignored, instant } from '../../../platform/http/schema.ts'
import { adsApiError } from '../../../platform/protocols/ads/api-error.ts'
import type { AdsError } from '../../../platform/protocols/ads/codes.ts'
import { missingParameter, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import type { CellRow } from '../entity/fields.ts'
import { rowQueries, VISIBLE } from '../entity/queries.ts'
import type { WriteContext } from '../entity/types.ts'
import { rejectChanged, throwErrors } from '../entity/write.ts'
import { useByKeys } from '../media/uses.ts'
import { nameKey } from '../name-key.ts'
import { cardName, cardUri } from './card-fields.ts'
import type { CardType } from './card-types.ts'
import { CARD_TYPES, cardTypeOf } from './card-types.ts'
import { Component, Components, mediaNamed, Slides, wrongComponents } from './components.ts'
import { namedMedia, releaseCardMedia } from './media.ts'
import { cards } from './tables.ts'

/** A card created from components. */
export const Card = component(
  'Card',
  Type.Object(
    {
      id: id('Its id.'),
      name: cardName,
      components: Type.Optional(Type.Array(Component, { description: 'Components from top to bottom.' })),
      slides: Type.Optional(
        Type.Array(Type.Array(Component), {
          description: 'Slides of a carousel with several destinations; present instead of `components`.',
        }),
      ),
      card_uri: cardUri('URI by which a post refers to the card.'),
      card_type: choice([...CARD_TYPES], 'Type, derived from its media and destination.', 'CardType'),
      created_at: instant('When it was created.'),
      updated_at: instant('When it was last updated.'),
      deleted: Type.Boolean({ description: 'Whether it was deleted.' }),
    },
    { additionalProperties: false },
  ),
)

/** The contents of a card, as callers send them. */
export const CardParts = component(
  'CardParts',
  Type.Object({
    name: Type.Optional(cardName),
    components: Type.Optional(Components),
    slides: Type.Optional(Slides),
  }),
)

type CardPartValues = Static<typeof CardParts>

/**
 * The contents of a card in an update. `null` is accepted for a part that the card does not have,
 * and for a part that the update replaces with the other one.
 */
export const CardChange = component(
  'CardChange',
  Type.Object({
    ...CardParts.properties,
    components: Type.Optional(clearable(Components)),
    slides: Type.Optional(clearable(Slides)),
  }),
)

const sent = Card.properties

/** Members of a card that callers can read but not set. */
export const cardReadOnly = {
  id: sent.id,
  card_uri: sent.card_uri,
  card_type: sent.card_type,
  created_at: sent.created_at,
  updated_at: ignored('Moves by itself.'),
  deleted: ignored('Moves by itself.'),
}

export const COLUMNS = [
  'id',
  'name',
  'name_key',
  'card_type',
  'components',
  'slides',
  'created_at',
  'updated_at',
  'deleted',
] as const

export const cardRows = rowQueries(cards, COLUMNS)

const parsed = (value: CellRow[string] | undefined) =>
  typeof value === 'string' ? JSON.parse(value) : undefined

/** A card as replies show it. */
export const shownCard = (row: CellRow): Static<typeof Card> => ({
  id: String(row.id),
  name: String(row.name),
  components: parsed(row.components),
  slides: parsed(row.slides),
  card_uri: `card://${row.id}`,
  card_type: row.card_type as CardType,
  created_at: Number(row.created_at),
  updated_at: Number(row.updated_at),
  deleted: row.deleted === 1,
})

export const missingCard = (accountId: string, cardId: string) =>
  adsApiError(
    wrongParameter('card_id', msg`Card ${cardId} was not found for Account ${accountId}`, 'CARD_NOT_FOUND'),
  )

/** The parts of a card as they are stored, and its media. Rejects invalid combinations. */
async function checkedParts(
  parts: Omit<Static<typeof CardChange>, 'name'>,
  tx: Transaction,
  accountId: string,
) {
  const components = parts.components ?? null
  const slides = parts.slides ?? null
  const errors: AdsError[] = [
    ...(components ? wrongComponents(components, 'components', false) : []),
    ...(slides ?? []).flatMap((slide, index) => wrongComponents(slide, `slides[${index}]`, true)),
  ]
  throwErrors(errors)
  const named = [
    ...mediaNamed(components ?? [], 'components'),
    ...(slides ?? []).flatMap((slide, index) => mediaNamed(slide, `slides[${index}]`)),
  ]
  const { media, errors: wrongMedia } = await namedMedia(tx, accountId, named)
  throwErrors(wrongMedia)
  const kinds = [...media.values()].map((medium) => rulesOf(medium).kind)
  const columns = {
    card_type: cardTypeOf({ components, slides }, kinds),
    components: components && JSON.stringify(components),
    slides: slides && JSON.stringify(slides),
  }
  return { columns, keys: [...media.keys()] }
}

const exclusive = () =>
  adsApiError(
    wrongParameter('slides', msg`components and slides are exclusive parameters`, 'EXCLUSIVE_PARAMETERS'),
  )

export async function addCard(
  { name, ...parts }: CardPartValues & { name: string },
  work: WriteContext,
): Promise<CellRow> {
  const { tx, scope, context, now } = work
  if (parts.components && parts.slides) throw exclusive()
  if (!parts.components && !parts.slides) throw adsApiError(missingParameter('components'))
  const { columns, keys } = await checkedParts(parts, tx, scope.accountId)
  const row = {
    account_id: scope.accountId,
    id: context.ids.next(),
    visibility: VISIBLE,
    name,
    name_key: nameKey(name),
    ...columns,
    created_at: now,
    updated_at: now,
    deleted: 0,
  }
  await tx.run(cardRows.add, row)
  await useByKeys({ table: 'cards', id: row.id }, keys, work)
  return row
}

/** A card that is not deleted, locked by the transaction. */
async function liveCard(cardId: string, { tx, scope }: WriteContext): Promise<CellRow> {
  const row = await tx.first(cardRows.lock, { account: scope.accountId, id: cardId })
  if (row?.deleted !== 0) throw missingCard(scope.accountId, cardId)
  return row
}

/** Replaces each part that was sent completely. Slides replace components, and vice versa. */
export async function changeCard(
  cardId: string,
  change: Static<typeof CardChange>,
  work: WriteContext,
  sentBack: readonly SentBack[] = [],
): Promise<CellRow> {
  const { tx, scope, now } = work
  const before = await liveCard(cardId, work)
  const stored = shownCard(before)
  rejectChanged(sentBack, stored)
  const { name, ...parts } = changesOf({}, change, stored)
  if (parts.components && parts.slides) throw exclusive()
  const isNew = parts.components !== undefined || parts.slides !== undefined
  if (isNew && !parts.components && !parts.slides) throw adsApiError(missingParameter('components'))
  const made = isNew ? await checkedParts(parts, tx, scope.accountId) : undefined
  const row = {
    ...before,
    ...(name !== undefined && { name, name_key: nameKey(name) }),
    ...made?.columns,
  }
  if (JSON.stringify(row) === JSON.stringify(before)) return before
  const changed = { ...row, account_id: scope.accountId, id: cardId, updated_at: now }
  await tx.run(cardRows.change(tx.dialect, before, changed), changed)
  if (made) await useByKeys({ table: 'cards', id: cardId }, made.keys, work)
  return changed
}

/** Deletes a card. Posts that show it continue. `type`: only one of this type. */
export async function removeCard(cardId: string, work: WriteContext, type?: CardType): Promise<CellRow> {
  const { tx, scope, now } = work
  const before = await liveCard(cardId, work)
  if (type !== undefined && before.card_type !== type) throw missingCard(scope.accountId, cardId)
  await tx.run(cardRows.remove, { account: scope.accountId, id: cardId, now })
  await releaseCardMedia({ table: 'cards', id: cardId, uri: `card://${cardId}` }, work)
  return { ...before, deleted: 1, updated_at: now }
}
