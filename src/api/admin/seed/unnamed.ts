/** Members of line items that refer to something else in ways that a seed has no names for. */
export const UNNAMED = [
  'advertiser_user_id',
  'primary_web_event_tag',
  'catalog_id',
  'product_set_id',
  'creative_source',
] as const
