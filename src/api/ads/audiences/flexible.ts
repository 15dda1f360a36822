import type { MembershipState } from '../../../domain/audience-members/membership.ts'
import { audiencesIn, leavesOf, type Segment } from '../../../domain/audience-members/segments.ts'
import { msg, word } from '../../../platform/http/message.ts'
import {
  type AdsError,
  missingParameter,
  wrongAttribute,
  wrongParameter,
} from '../../../platform/protocols/ads/codes.ts'
import { enqueue } from '../../../platform/queue/enqueue.ts'
import type { Store, Transaction } from '../../../platform/storage/store.ts'
import type { AdsDependencies } from '../dependencies.ts'
import type { WriteContext } from '../entity/types.ts'
import { audienceOf } from './access.ts'
import {
  addFlexible,
  addFlexiblePart,
  countOfCombinations,
  flexibleStates,
  markCombinations,
  removeFlexible,
  removeFlexibleParts,
  combinationsOf,
} from './queries.ts'
import { countFlexible } from './tasks.ts'

// Audiences that combine others (reference, 08 section 5). Their people are counted by tasks, and
// never listed.

/** An upload makes each combination that names its audience be counted again. */
const MAX_USES = 100

const WRONG_TYPE = 'INVALID_TAILORED_AUDIENCE_TYPE'

/** The type of an audience and its combination, as a row stores it. */
interface Combination {
  readonly audience_type: string
  readonly segments: string | null
}

export const segmentsOf = (segments: string): Segment => JSON.parse(segments) as Segment

/** The errors of the combination of a new audience. */
export async function wrongCombination(
  { audience_type, segments }: Combination,
  { tx, scope: { accountId } }: WriteContext,
): Promise<AdsError[]> {
  if (segments === null) return audience_type === 'CRM' ? [] : [missingParameter('segments')]
  if (audience_type === 'CRM')
    return [wrongParameter('segments', msg`An audience of the type ${word(audience_type)} has no segments`)]
  const errors: AdsError[] = []
  for (const { audience, path } of leavesOf(segmentsOf(segments))) {
    const error = await wrongLeaf(audience, `${path}.custom_audience_id`, { tx, accountId })
    if (error) errors.push(error)
  }
  return errors
}

async function wrongLeaf(
  id: string,
  parameter: string,
  { tx, accountId }: { tx: Transaction; accountId: string },
): Promise<AdsError | undefined> {
  const found = await audienceOf(id, { store: tx, accountId })
  if (!found)
    return wrongParameter(
      parameter,
      msg`Custom Audience ${id} was not found for Account ${accountId}`,
      'TAILORED_AUDIENCE_NOT_FOUND',
    )
  if (found.type !== 'CRM')
    return wrongParameter(
      parameter,
      msg`Expected an audience of uploaded users, got "${id}", which combines others`,
      WRONG_TYPE,
    )
  const { count } = (await tx.first(countOfCombinations, { part: id, limit: MAX_USES })) ?? { count: 0 }
  if (count < MAX_USES) return undefined
  return wrongParameter(
    parameter,
    msg`Custom Audience ${id} is part of ${MAX_USES} other audiences, the maximum`,
  )
}

/** Only audiences of the type `CRM` have users of their own. */
export const noUsers = (id: string, parameter: string): AdsError =>
  wrongParameter(
    parameter,
    msg`Custom Audience ${id} combines others, and has no users of its own`,
    WRONG_TYPE,
  )

/** A combination never changes (reference, 08 section 5). */
export const unchangeable = (id: string): AdsError =>
  wrongAttribute('audience_type', msg`Custom Audience ${id} combines others, and cannot be changed`)

/** Registers a new combination, which is then counted. */
export async function addCombination(
  { id: audience, segments }: Combination & { id: string },
  account: string,
  tx: Transaction,
): Promise<void> {
  if (segments === null) return
  await tx.run(addFlexible, { audience })
  for (const part of audiencesIn(segmentsOf(segments))) await tx.run(addFlexiblePart, { audience, part })
  await enqueue(tx, countFlexible.task({ audience, account }))
}

/** Removes what is stored for the count of a combination. */
export async function removeCombination(audience: string, tx: Transaction): Promise<void> {
  await tx.run(removeFlexible, { audience })
  await tx.run(removeFlexibleParts, { audience })
}

/**
 * Has the combinations that name an audience counted again, because its members change. `dueAt`:
 * when the change takes effect.
 */
export async function recountUses(part: string, tx: Transaction, dueAt = tx.now): Promise<void> {
  // In one order, so that changes of two audiences cannot deadlock.
  const uses = await tx.all(combinationsOf, { part })
  if (uses.length === 0) return
  await tx.run(markCombinations, { audiences: JSON.stringify(uses.map(({ audience }) => audience)) })
  await enqueue(tx, ...uses.map((use) => countFlexible.task(use, dueAt)))
}

/** The same after an upload, which takes effect when it is merged. */
export async function recountAfterUpload(
  part: string,
  { store, clock, config }: Pick<AdsDependencies, 'store' | 'clock' | 'config'>,
): Promise<void> {
  const uses = await store.first(countOfCombinations, { part, limit: 1 })
  if (uses?.count !== 1) return
  const dueAt = clock.now() + config.audienceDelaySeconds * 1000
  await store.write((tx) => recountUses(part, tx, dueAt))
}

/** The states of audiences, by id: of uploaded ones and of combinations. */
export async function audienceStates(
  audiences: readonly string[],
  { store, membership }: { store: Pick<Store, 'all'> } & Pick<AdsDependencies, 'membership'>,
): Promise<Map<string, MembershipState>> {
  const found = await store.all(flexibleStates, { audiences: JSON.stringify(audiences) })
  const combinations = new Map(
    found.map(({ audience, size, processing }) => [audience, { size, processing: processing === 1 }]),
  )
  const uploaded = audiences.filter((id) => !combinations.has(id))
  return new Map([...(await membership.states(uploaded, store)), ...combinations])
}
