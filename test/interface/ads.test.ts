import { abTests } from './areas/ab-tests.ts'
import { accounts, categories } from './areas/accounts.ts'
import { audiences } from './areas/audiences.ts'
import { campaigns, fundingInstruments, lineItems } from './areas/campaigns.ts'
import { cards } from './areas/cards.ts'
import { productCatalogs } from './areas/catalogs.ts'
import { crowds } from './areas/crowds.ts'
import { insights } from './areas/insights.ts'
import { mobileConversions } from './areas/mobile-conversions.ts'
import { media } from './areas/media.ts'
import { posts } from './areas/posts.ts'
import { promotion } from './areas/promotion.ts'
import { stats } from './areas/stats.ts'
import { interfaceTests } from './suite.ts'

/** The advertising API. */
interfaceTests('ads', [
  accounts,
  categories,
  fundingInstruments,
  campaigns,
  lineItems,
  media,
  cards,
  posts,
  promotion,
  abTests,
  mobileConversions,
  audiences,
  insights,
  productCatalogs,
  stats,
  crowds,
])
