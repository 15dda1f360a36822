import { lookup } from '../../platform/common/lookup.ts'

export const productTypes = ['MEDIA', 'PROMOTED_ACCOUNT', 'PROMOTED_POSTS'] as const
export type ProductType = (typeof productTypes)[number]

/** Where ads can be set to appear. */
export const placements = [
  'ALL_ON_SERVICE',
  'PUBLISHER_NETWORK',
  'TAP_BANNER',
  'TAP_FULL',
  'TAP_FULL_LANDSCAPE',
  'TAP_NATIVE',
  'TAP_MRECT',
  'SERVICE_PROFILE',
  'SERVICE_REPLIES',
  'SERVICE_SEARCH',
  'SERVICE_TIMELINE',
] as const
export type Placement = (typeof placements)[number]

/** The combinations of placements that a product type may have. */
export interface PlacementOption {
  product_type: ProductType
  placements: readonly (readonly Placement[])[]
}

export const placementOptions: readonly PlacementOption[] = [
  {
    // The public pages do not list this product type. We allow one placement at a time.
    product_type: 'MEDIA',
    placements: [
      ['ALL_ON_SERVICE'],
      ['PUBLISHER_NETWORK'],
      ['TAP_BANNER'],
      ['TAP_FULL'],
      ['TAP_FULL_LANDSCAPE'],
      ['TAP_NATIVE'],
      ['TAP_MRECT'],
    ],
  },
  { product_type: 'PROMOTED_ACCOUNT', placements: [['ALL_ON_SERVICE'], ['SERVICE_TIMELINE']] },
  {
    product_type: 'PROMOTED_POSTS',
    placements: [
      ['ALL_ON_SERVICE'],
      ['ALL_ON_SERVICE', 'PUBLISHER_NETWORK'],
      ['PUBLISHER_NETWORK'],
      ['PUBLISHER_NETWORK', 'SERVICE_TIMELINE'],
      ['SERVICE_SEARCH'],
      ['SERVICE_TIMELINE'],
    ],
  },
]

export const placementsOfProductType = lookup(
  () => placementOptions,
  (option) => option.product_type,
)
