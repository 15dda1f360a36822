import type { DeliveringLineItem } from '../../../domain/ad-delivery/model.ts'
import { peopleOf, type Share } from '../../../domain/ad-delivery/share.ts'
import type { Store } from '../../../platform/storage/store.ts'
import type { UserGroup } from '../ab-tests/fields.ts'
import { openTests } from './queries.ts'
import type { Candidate } from './state.ts'

/** The part of a line item, or of all line items of a campaign, in an A/B test. */
export interface Trial {
  readonly fromMs: number
  /** Exclusive. */
  readonly untilMs: number
  readonly share: Share
}

/** What takes part in the A/B tests of an account that end after a time. */
export async function trialsOf(
  account: string,
  after: number,
  store: Pick<Store, 'all'>,
): Promise<Map<string, Trial>> {
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
export function liveTrials(
  lineItems: readonly DeliveringLineItem[],
  candidates: ReadonlyMap<string, Candidate>,
): (timeMs: number) => Present {
  const trials = [...candidates.values()].flatMap(({ trial }) => trial ?? [])
  const cuts = [...new Set(trials.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]))].sort((a, b) => a - b)
  let present: Present = { lineItems, untilMs: cuts.length > 0 ? 0 : Number.POSITIVE_INFINITY }
  return (timeMs) => {
    if (timeMs < present.untilMs) return present
    present = {
      lineItems: lineItems.map((lineItem) => inTrial(lineItem, candidates.get(lineItem.id)?.trial, timeMs)),
      untilMs: cuts.find((cut) => cut > timeMs) ?? Number.POSITIVE_INFINITY,
    }
    return present
  }
}

function inTrial(lineItem: DeliveringLineItem, trial: Trial | undefined, timeMs: number): DeliveringLineItem {
  if (!trial || timeMs < trial.fromMs || timeMs >= trial.untilMs) return lineItem
  const { share } = trial
  return { ...lineItem, share, audience: peopleOf(share, lineItem.audience) }
}
