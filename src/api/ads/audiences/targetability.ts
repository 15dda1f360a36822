import { Type } from 'typebox'
import type { MembershipState } from '../../../domain/audience-members/membership.ts'
import type { Config } from '../../../platform/config/config.ts'

export const REASONS = ['PROCESSING', 'TOO_SMALL'] as const

/** The size and state of an audience or do not reach list. */
export interface AudienceTargetability {
  targetable: boolean
  reasons: (typeof REASONS)[number][]
  /** Null while it is too small to be reported. */
  size: number | null
}

export const targetable = Type.Boolean({ description: 'Whether it can be used.' })

export const reasonsNotTargetable = Type.Array(Type.Enum([...REASONS]), {
  description:
    '`PROCESSING` while uploads wait to be merged; the audience may be targetable in the meantime.',
})

/**
 * While uploads wait, the previous state remains in effect. Small sizes are not reported
 * (interface, States).
 */
export function targetabilityOf(
  state: MembershipState | undefined,
  { audienceMinimum }: Pick<Config, 'audienceMinimum'>,
): AudienceTargetability {
  const { processing, size } = state ?? { processing: true, size: 0 }
  const isSmall = size < audienceMinimum
  return {
    targetable: !isSmall,
    reasons: [...(processing ? ['PROCESSING' as const] : []), ...(isSmall ? ['TOO_SMALL' as const] : [])],
    size: isSmall ? null : size,
  }
}

/** A deleted one cannot be used. */
export const DELETED_TARGETABILITY: AudienceTargetability = {
  targetable: false,
  reasons: ['TOO_SMALL'],
  size: null,
}
