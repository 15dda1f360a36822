/** The names of entities in the account history (interface, account history). */
export const HISTORY_KINDS = [
  'CAMPAIGN',
  'LINE_ITEM',
  'PROMOTED_POST',
  'TARGETING_CRITERIA',
  'PROMOTED_ACCOUNT',
] as const

export type HistoryKind = (typeof HISTORY_KINDS)[number]
