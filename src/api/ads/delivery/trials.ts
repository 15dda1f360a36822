import type { DeliveringLineItem } from '../../../domain/ad-delivery/model.ts'
import { peopleOf, type Share } from '../../../domain/ad-delivery/share.ts'
import type { Store } from '../../../platform/storage/store.ts'
import type { UserGroup } from '../ab-tests/fields.ts'
import { openTests } from './queries.ts'

/** The part of a campaign or line item in an A/B test. */
interface Trial {
  readonly fromMs: number
  /** Exclusive. */
  readonly untilMs: number
  readonly share: Share
}

/** By the ids of the campaigns and line items. */
export type Trials = ReadonlyMap<string, Trial>

/** What takes part in the A/B tests of an account that end after a time. */
export async function trialsOf(account: string, after: number, store: Pick<Store, 'all'>): Promise<Trials> {
  const trials = new Map<string, Trial>()
  for (const { id, start_time, end_time, user_groups } of await store.all(openTests, { account, after })) {
    let from = 0
    for (const { size, entity_ids } of JSON.parse(user_groups) as UserGroup[]) {
      const share = [id, from, from + size] as const
      from += size
      for (const entity of entity_ids) trials.set(entity, { fromMs: start_time, untilMs: end_time, share })
    }
  }
  return trials
}

/** Line items as they are delivered for a while. */
interface Present {
  readonly lineItems: readonly DeliveringLineItem[]
  /** When an A/B test starts or ends next; `Infinity` if none does. */
  readonly untilMs: number
}

/**
 * Follows A/B tests: at each time, a line item of a live one is delivered to the share of its group
 * only. Times must grow.
 */
export function inTrials(
  lineItems: readonly DeliveringLineItem[],
  trials: Trials,
): (timeMs: number) => Present {
  const cuts = [...new Set([...trials.values()].flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]))]
  let present: Present = { lineItems, untilMs: cuts.length > 0 ? 0 : Number.POSITIVE_INFINITY }
  return (timeMs) => {
    if (timeMs < present.untilMs) return present
    present = {
      lineItems: lineItems.map((lineItem) => inTrial(lineItem, trials, timeMs)),
      untilMs: Math.min(...cuts.filter((cut) => cut > timeMs)),
    }
    return present
  }
}

function inTrial(lineItem: DeliveringLineItem, trials: Trials, timeMs: number): DeliveringLineItem {
  const trial = trials.get(lineItem.id) ?? trials.get(lineItem.campaign.id)
  if (!trial || timeMs < trial.fromMs || timeMs >= trial.untilMs) return lineItem
  const { share } = trial
  return { ...lineItem, share, audience: peopleOf(share, lineItem.audience) }
}
