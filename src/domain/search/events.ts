import { eventKind } from '../../platform/events/event.ts'

/** The search index is to be rebuilt from the store. */
export const searchRebuildRequested = eventKind<{ index: string }>('search.rebuild', ({ index }) => index)
