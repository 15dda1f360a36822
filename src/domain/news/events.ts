import { eventKind } from '../../platform/events/event.ts'

type StoryEventData = {
  story_id: string
  name: string
  category: string
  /** Separated by commas, the most important first. */
  keywords: string
}

/** A story appeared. */
export const newsAppeared = eventKind<StoryEventData>('news.appeared', ({ story_id }) => story_id)

/** Posts were added to a story. */
export const newsUpdated = eventKind<StoryEventData>('news.updated', ({ story_id }) => story_id)
