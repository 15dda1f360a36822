import { plannedQueries } from '../posts/queries.ts'
import type { DraftPostRow } from '../posts/tables.ts'

export const drafts = plannedQueries<DraftPostRow>('draft_posts', [])
