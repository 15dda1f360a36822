import { analytics } from './areas/analytics.ts'
import { articles } from './areas/articles.ts'
import { broadcasts } from './areas/broadcasts.ts'
import { chats } from './areas/chats.ts'
import { communities } from './areas/communities.ts'
import { coreNews } from './areas/core-news.ts'
import { coreNotes } from './areas/core-notes.ts'
import { corePosts } from './areas/core-posts.ts'
import { coreSearch } from './areas/core-search.ts'
import { directMessages } from './areas/direct-messages.ts'
import { engagement } from './areas/engagement.ts'
import { lists } from './areas/lists.ts'
import { relations } from './areas/relations.ts'
import { spaces } from './areas/spaces.ts'
import { timelines } from './areas/timelines.ts'
import { usage } from './areas/usage.ts'
import { users } from './areas/users.ts'
import { interfaceTests } from './suite.ts'

/** What users make: posts, relations, messages, spaces, notes and news. */
interfaceTests('content', [
  corePosts,
  chats,
  directMessages,
  spaces,
  broadcasts,
  users,
  relations,
  lists,
  communities,
  engagement,
  timelines,
  coreSearch,
  usage,
  coreNotes,
  analytics,
  coreNews,
  articles,
])
