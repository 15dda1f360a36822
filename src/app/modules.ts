import { ads } from '../api/ads/module.ts'
import { webhookChecks } from '../api/core/webhooks/module.ts'
import { oauth } from '../api/oauth/module.ts'
import { activities } from '../delivery/activities/module.ts'
import { streams } from '../delivery/streams/module.ts'
import { webhooks } from '../delivery/webhooks/module.ts'
import { broadcasts } from '../domain/broadcasts/module.ts'
import { communities } from '../domain/communities/module.ts'
import { compliance } from '../domain/compliance/module.ts'
import { media } from '../domain/media/module.ts'
import { news } from '../domain/news/module.ts'
import { notes } from '../domain/notes/module.ts'
import { posts } from '../domain/posts/module.ts'
import { search } from '../domain/search/module.ts'
import { spaces } from '../domain/spaces/module.ts'
import { chats } from '../domain/chat/module.ts'
import { trends } from '../domain/trends/module.ts'
import { usage } from '../domain/usage/module.ts'
import { relations } from '../identity/relations/module.ts'
import { deletionOfUsers } from '../identity/users/deletion.ts'
import { eventLog } from '../platform/events/module.ts'
import { audit } from '../platform/log/module.ts'
import type { Module } from '../platform/module.ts'
import type { Context } from './start/context.ts'
import { userRemovals } from './user-removals.ts'

/** The background work of all resources. */
export const modules: readonly Module<Context>[] = [
  audit,
  eventLog,
  relations,
  posts,
  media,
  communities,
  compliance,
  search,
  notes,
  news,
  trends,
  chats,
  spaces,
  broadcasts,
  usage,
  activities,
  streams,
  webhooks,
  oauth,
  webhookChecks,
  ads,
  deletionOfUsers(userRemovals),
]
