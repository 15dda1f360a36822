import { option, toggle } from './option.ts'
import { list, oneOf, wholeNumber } from './readers.ts'

/** The advertising API. */
export const adsOptions = {
  activeCampaigns: option({
    flag: 'active-campaigns',
    takes: 'N',
    describe:
      'Maximum number of campaigns of one advertising account; drafts and deleted campaigns do not count.',
    fallback: 200,
    read: wholeNumber(1, 1_000_000),
  }),
  adDelivery: option({
    flag: 'ad-delivery',
    takes: 'off|simulated',
    describe:
      'Whether line items of production accounts are delivered to simulated people, and spend their budgets. Sandbox accounts never are.',
    fallback: 'simulated' as 'off' | 'simulated',
    read: oneOf('off', 'simulated'),
  }),
  adPeoplePerUser: option({
    flag: 'ad-people-per-user',
    takes: 'N',
    describe: 'How many people each user stands for when line items are delivered.',
    fallback: 1,
    read: wholeNumber(1, 1_000_000),
  }),
  audienceMinimum: option({
    flag: 'audience-minimum',
    takes: 'N',
    describe:
      'Minimum number of members an audience needs before it can be targeted and its size is reported.',
    fallback: 100,
    read: wholeNumber(0, 1_000_000),
  }),
  audienceDelaySeconds: option({
    flag: 'audience-delay-seconds',
    takes: 'S',
    describe: 'Minimum delay before uploaded users become members of their audience.',
    fallback: 0,
    read: wholeNumber(0, 86_400),
  }),
  audienceQueueMegabytes: option({
    flag: 'audience-queue-megabytes',
    takes: 'MB',
    describe: 'Maximum total size of uploads waiting to be merged into audiences. Further uploads get 503.',
    fallback: 1024,
    // One account may use half of it, and one upload may take 23 MB.
    read: wholeNumber(64, 1_048_576),
  }),
  historyApps: option({
    flag: 'history-apps',
    takes: 'all|ID,…',
    describe: 'Apps that may read the history of advertising accounts (a beta feature).',
    fallback: ['all'] as readonly string[],
    fallbackText: 'all',
    read: list,
  }),
  catalogApps: option({
    flag: 'catalog-apps',
    takes: 'all|ID,…',
    describe: 'Apps that may use product catalogs (an early-access feature).',
    fallback: ['all'] as readonly string[],
    fallbackText: 'all',
    read: list,
  }),
  fetchImages: option({
    flag: 'fetch-images',
    takes: 'yes|no',
    describe:
      'Fetch product images to check their format and size. Problems are reported as warnings the next time the product is sent.',
    fallback: true,
    fallbackText: 'yes',
    read: (text: string) => ['yes', 'true'].includes(oneOf('yes', 'no', 'true', 'false')(text)),
  }),
  sandboxAccountList: toggle(
    'sandbox-account-list',
    'Return a list with one account when a sandbox account is created, as some clients expect.',
  ),
  statsJobSeconds: option({
    flag: 'stats-job-seconds',
    takes: 'S',
    describe: 'How long asynchronous analytics jobs of the advertising API take.',
    fallback: 0,
    read: wholeNumber(0, 3_600),
  }),
  advertiserUserApps: option({
    flag: 'advertiser-user-apps',
    takes: 'all|ID,…',
    describe: 'Apps that may set `advertiser_user_id` on line items.',
    fallback: [] as readonly string[],
    fallbackText: '',
    read: list,
  }),
} as const
