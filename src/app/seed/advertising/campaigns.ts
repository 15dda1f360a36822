import type { AccountRow } from '../../../api/ads/accounts/tables.ts'
import { customAudiences } from '../../../api/ads/audiences/custom-audiences.ts'
import { readSegments, renamedLeaves } from '../../../api/ads/audiences/segments.ts'
import { campaigns } from '../../../api/ads/campaigns/campaigns.ts'
import type { EntityDependencies } from '../../../api/ads/dependencies.ts'
import type { WriteContext } from '../../../api/ads/entity/types.ts'
import { createItem, throwErrors } from '../../../api/ads/entity/write.ts'
import { lineItems } from '../../../api/ads/line-items/line-items.ts'
import { nameKey } from '../../../api/ads/name-key.ts'
import { promotedPosts } from '../../../api/ads/promoted-posts/promoted-posts.ts'
import { ROLES } from '../../../api/ads/scope.ts'
import { targetingCriteria } from '../../../api/ads/targeting/criteria.ts'
import { isUserType } from '../../../api/ads/targeting/types.ts'
import { NO_APP } from '../../../domain/posts/insert.ts'
import { pointerOf } from '../../../platform/common/json-file.ts'
import { ConfigError } from '../../../platform/config/config.ts'
import { messageText } from '../../../platform/http/message.ts'
import { neutralVocabulary } from '../../../platform/http/vocabulary.ts'
import { AdsApiError, adsErrorsOf } from '../../../platform/protocols/ads/api-error.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import type { PastIds } from '../content/post-rows.ts'
import { pastTime } from '../content/posts-in-order.ts'
import type { SeedAudience, SeedCampaign, SeedLineItem } from './schema.ts'
import { secondOf } from './times.ts'

export interface CampaignParts {
  /** The time of the start: times of the seed are relative to it. */
  readonly now: number
  readonly ads: EntityDependencies
  readonly pastIds: PastIds
  /** The id of a user of the seed. */
  idOf(screenName: string): string
  /** The ids of posts that the seed names. */
  readonly postIds: ReadonlyMap<string, string>
}

type JsonPath = readonly (string | number)[]

interface AccountPlace {
  readonly account: AccountRow
  /** The user who creates what the account has. */
  readonly ownerId: string
  /** Of the account in the seed. */
  readonly place: JsonPath
}

interface CampaignPlace extends AccountPlace {
  readonly fundingId: string | undefined
  /** Of the campaign in the account. */
  readonly position: number
}

/**
 * Writes a campaign of a seed by the rules of the advertising API, as they were at its time.
 * @throws ConfigError With the place of the first entity that breaks a rule.
 */
export async function writeCampaign(
  tx: Transaction,
  { created_at, funding, line_items = [], ...supplied }: SeedCampaign,
  { account, ownerId, fundingId, ...at }: CampaignPlace,
  parts: CampaignParts,
): Promise<void> {
  const place = [...at.place, 'campaigns', at.position]
  const workAt = (text: string | undefined) => writeAt(tx, text, { account, ownerId }, parts)
  const campaign = await checked(place, () =>
    createItem(campaigns, { ...supplied, funding_instrument_id: fundingId ?? '' }, workAt(created_at)),
  )
  for (const [index, lineItem] of line_items.entries()) {
    const work = workAt(lineItem.created_at ?? created_at)
    await writeLineItem(
      lineItem,
      { campaignId: campaign.id, place: [...place, 'line_items', index] },
      work,
      parts,
    )
  }
}

/**
 * Writes the custom audiences of an account of a seed, which have no members yet.
 * @throws ConfigError With the place of the first one that breaks a rule.
 */
export async function writeAudiences(
  tx: Transaction,
  audiences: readonly SeedAudience[],
  { place, ...at }: AccountPlace,
  parts: CampaignParts,
): Promise<void> {
  const ids = new Map<string, string>()
  for (const [index, { created_at, segments, ...supplied }] of audiences.entries()) {
    const { id, name } = await checked([...place, 'audiences', index], () =>
      createItem(
        customAudiences,
        { ...supplied, ...(segments !== undefined && { segments: combinationOf(segments, ids) }) },
        writeAt(tx, created_at, at, parts),
      ),
    )
    ids.set(nameKey(name), id)
  }
}

/** A combination of audiences that a seed names. Throws its errors. */
function combinationOf(segments: unknown, ids: ReadonlyMap<string, string>): string {
  const idOf = (name: string) => ids.get(nameKey(name)) ?? name
  const read = readSegments(renamedLeaves(segments, idOf), 'segments', neutralVocabulary)
  if ('errors' in read) throw new AdsApiError(read)
  return String(read.value)
}

/** A write of the advertising API at a past time. */
function writeAt(
  tx: Transaction,
  text: string | undefined,
  { account, ownerId }: Omit<AccountPlace, 'place'>,
  parts: CampaignParts,
): WriteContext {
  const now = pastTime(text, parts.now) ?? parts.now
  // Lists are in the order of the ids.
  const ids = { ...parts.ads.ids, next: () => parts.pastIds.next(now) }
  const clock = { ...parts.ads.clock, now: () => now }
  const caller = { userId: ownerId, app: { id: NO_APP } }
  const scope = { accountId: account.id, account, roles: ROLES }
  return { tx, scope, caller, now, context: { ...parts.ads, clock, ids }, existing: new Set() }
}

async function writeLineItem(
  { created_at, start_time, end_time, targeting = [], promoted_posts = [], ...supplied }: SeedLineItem,
  { campaignId, place }: { campaignId: string; place: JsonPath },
  work: WriteContext,
  { now, idOf, postIds }: CampaignParts,
): Promise<void> {
  const [startsAt, endsAt] = [secondOf(start_time, now), secondOf(end_time, now)]
  const values = {
    ...supplied,
    campaign_id: campaignId,
    ...(startsAt !== undefined && { start_time: startsAt }),
    ...(endsAt !== undefined && { end_time: endsAt }),
  }
  const { id: line_item_id } = await checked(place, () => createItem(lineItems, values, work))
  const criteria = []
  for (const [index, { targeting_value = '', ...criterion }] of targeting.entries()) {
    const isName = targeting_value.startsWith('@') && isUserType(criterion.targeting_type)
    const value = isName ? idOf(targeting_value.slice(1)) : targeting_value
    const one = { ...criterion, line_item_id, targeting_value: value }
    criteria.push(
      await checked([...place, 'targeting', index], () => createItem(targetingCriteria, one, work)),
    )
  }
  const wrong = (await targetingCriteria.declared.checkAll?.(criteria, { ...work, batch: true })) ?? []
  for (const [index, errors] of wrong.entries())
    await checked([...place, 'targeting', index], async () => throwErrors(errors))
  for (const [index, name] of promoted_posts.entries())
    await checked([...place, 'promoted_posts', index], () =>
      createItem(promotedPosts, { line_item_id, post_id: postIds.get(name) ?? '' }, work),
    )
}

/** Turns errors of the advertising API into one with the place in the seed. */
async function checked<T>(place: JsonPath, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const sentences = adsErrorsOf(error).map(({ message }) => messageText(message, neutralVocabulary))
    if (sentences.length === 0) throw error
    throw new ConfigError(sentences.map((one) => `seed: at ${pointerOf(...place)}: ${one}`).join('\n'))
  }
}
