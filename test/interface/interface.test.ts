import { after, before } from 'node:test'
import { accountActivity } from './areas/account-activity.ts'
import { accounts, categories } from './areas/accounts.ts'
import { activity } from './areas/activity.ts'
import { audiences } from './areas/audiences.ts'
import { authentication } from './areas/authentication.ts'
import { campaigns, fundingInstruments, lineItems } from './areas/campaigns.ts'
import { caps } from './areas/caps.ts'
import { cards } from './areas/cards.ts'
import { productCatalogs } from './areas/catalogs.ts'
import { coreNews } from './areas/core-news.ts'
import { coreNotes } from './areas/core-notes.ts'
import { corePosts } from './areas/core-posts.ts'
import { coreSearch } from './areas/core-search.ts'
import { crowds } from './areas/crowds.ts'
import { directMessages } from './areas/direct-messages.ts'
import { engagement } from './areas/engagement.ts'
import { insights } from './areas/insights.ts'
import { limits } from './areas/limits.ts'
import { media } from './areas/media.ts'
import { oauth } from './areas/oauth.ts'
import { posts } from './areas/posts.ts'
import { promotion } from './areas/promotion.ts'
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
import { checkComplete } from './support/complete.ts'
import { run } from './support/run.ts'
import { openWorld, type World } from './support/world.ts'

/**
 * The interface, literally: requests and the replies that it promises. Imports nothing from Plaza,
 * so it can test any server: one that it starts, or the one whose ready file `PLAZA_READY_FILE`
 * names.
 */
let world: World

before(async () => {
  world = await openWorld()
})
after(() => world?.close())

const areas = [
  transport,
  webhooks,
  accountActivity,
  activity,
  rules,
  oauth,
  userTokens,
  authentication,
  accounts,
  categories,
  fundingInstruments,
  campaigns,
  lineItems,
  media,
  cards,
  posts,
  corePosts,
  directMessages,
  spaces,
  users,
  relations,
  engagement,
  timelines,
  coreSearch,
  usage,
  coreNotes,
  coreNews,
  streams,
  caps,
  promotion,
  audiences,
  insights,
  productCatalogs,
  crowds,
  limits,
  proxy,
]

for (const area of areas) run(area, () => world)
checkComplete(() => world)
