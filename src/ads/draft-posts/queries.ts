import type { DraftPostRow } from '../../store/tables.ts'
import { plannedQueries } from '../posts/queries.ts'

export const drafts = plannedQueries<DraftPostRow>('draft_posts', [])
