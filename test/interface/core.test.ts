import { accountActivity } from './areas/account-activity.ts'
import { activity } from './areas/activity.ts'
import { authentication } from './areas/authentication.ts'
import { caps } from './areas/caps.ts'
import { coreNews } from './areas/core-news.ts'
import { coreNotes } from './areas/core-notes.ts'
import { corePosts } from './areas/core-posts.ts'
import { coreSearch } from './areas/core-search.ts'
import { directMessages } from './areas/direct-messages.ts'
import { engagement } from './areas/engagement.ts'
import { limits } from './areas/limits.ts'
import { lists } from './areas/lists.ts'
import { oauth } from './areas/oauth.ts'
import { proxy } from './areas/proxy.ts'
import { relations } from './areas/relations.ts'
import { rules } from './areas/rules.ts'
import { spaces } from './areas/spaces.ts'
import { streams } from './areas/streams.ts'
import { timelines } from './areas/timelines.ts'
import { transport } from './areas/transport.ts'
import { usage } from './areas/usage.ts'
import { userTokens } from './areas/user-tokens.ts'
import { users } from './areas/users.ts'
import { webhooks } from './areas/webhooks.ts'
import { interfaceTests } from './suite.ts'

/** The core API and OAuth, and what all APIs share. */
interfaceTests('core', [
  transport,
  webhooks,
  accountActivity,
  activity,
  rules,
  oauth,
  userTokens,
  authentication,
  corePosts,
  directMessages,
  spaces,
  users,
  relations,
  engagement,
  lists,
  timelines,
  coreSearch,
  usage,
  coreNotes,
  coreNews,
  streams,
  caps,
  limits,
  proxy,
])
