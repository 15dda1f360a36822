import type { DraftPostRow } from '../../../platform/storage/tables.ts'
import { plannedQueries } from '../posts/queries.ts'

export const drafts = plannedQueries<DraftPostRow>('draft_posts', [])
