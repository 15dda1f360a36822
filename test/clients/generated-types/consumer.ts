// A program that uses the types which openapi-typescript generates of openapi/core.json and
// openapi/ads.json. It is never run: the test compiles it, beside the generated `core.ts` and
// `ads.ts`.
import type * as ads from './ads.ts'
import type * as core from './core.ts'

type Core = core.components['schemas']
type Ads = ads.components['schemas']

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const holds = <Claim extends true>(...claim: Claim[]) => claim

type Body<Response> = Response extends { content: infer Content } ? Content[keyof Content] : never

// The objects have named types, with their members.
holds<Same<keyof Core['Webhook'], 'created_at' | 'id' | 'url' | 'valid'>>()
holds<Same<Core['Webhook']['valid'], boolean | undefined>>()
holds<Same<Ads['Campaign']['daily_budget_amount_local_micro'], number | null>>()
holds<Same<Ads['LineItem']['campaign_id'], string>>()
holds<Same<Ads['LineItem']['start_time'], string | null>>()
holds<Same<Ads['CustomAudience']['name'], string>>()
holds<Same<Ads['ProductCatalog'], { id: string; name: string }>>()
holds<Same<Ads['Product']['price'], string | null>>()
holds<Same<Ads['ProductSet']['filters'], Ads['ProductFilter'][]>>()
holds<Same<Ads['Card']['components'], Ads['CardComponent'][] | undefined>>()
holds<Same<Ads['FundingInstrument']['currency'], string>>()
holds<Same<Ads['Account']['timezone'], string>>()
holds<Same<Ads['AccountPost']['entities'], Ads['PostEntities']>>()

// Replies are made of them.
holds<Same<Body<core.operations['listWebhooks']['responses'][200]>['data'], Core['Webhook'][]>>()
holds<Same<Body<ads.operations['listLineItems']['responses'][200]>, Ads['LineItemList']>>()
holds<Same<Ads['LineItemList']['data'], Ads['LineItem'][]>>()
holds<Same<Ads['LineItemList']['next_cursor'], string | null>>()
holds<Same<Body<ads.operations['createCampaign']['responses'][201]>['data'], Ads['Campaign']>>()
holds<Same<Body<ads.operations['getCampaign']['responses'][200]>['data'], Ads['Campaign']>>()
holds<Same<Ads['CampaignBatch']['data'], Ads['Campaign'][]>>()

// Words are unions of literals.
holds<Same<Ads['EntityStatus'], 'ACTIVE' | 'PAUSED' | 'DRAFT'>>()
holds<Same<Ads['LineItem']['product_type'], 'MEDIA' | 'PROMOTED_ACCOUNT' | 'PROMOTED_POSTS'>>()
holds<Same<Ads['LineItem']['bid_strategy'], 'AUTO' | 'MAX' | 'TARGET'>>()
holds<Same<Ads['ProductSet']['type'], 'MANUAL' | 'FILTERED'>>()
const code: Ads['AdsErrorCode'] = 'CAMPAIGN_NOT_FOUND'
// @ts-expect-error: no error has this code.
const noCode: Ads['AdsErrorCode'] = 'CAMPAIGN_WAS_NOT_FOUND'

// Errors are unions of named types.
type CoreError<Status extends number> = Body<
  core.operations['createWebhook']['responses'] extends Record<Status, infer Response> ? Response : never
>
holds<Same<CoreError<400>, Core['InvalidRequestProblem']>>()
holds<
  Same<
    CoreError<403>,
    | Core['Problem']
    | Core['ClientForbiddenProblem']
    | Core['UnsupportedAuthenticationProblem']
    | Core['OAuth1PermissionsProblem']
  >
>()
holds<Same<Core['InvalidRequestProblem']['errors'], Core['ParameterError'][] | undefined>>()
holds<
  Same<Body<ads.operations['batchCampaigns']['responses'][400]>, Ads['AdsErrors'] | Ads['AdsOperationErrors']>
>()
holds<Same<Body<ads.operations['getCampaign']['responses'][404]>, Ads['AdsErrors']>>()
holds<Same<Ads['AdsErrors']['errors'], Ads['AdsError'][]>>()
holds<Same<Ads['AdsOperationErrors']['operation_errors'], Ads['AdsError'][][]>>()
holds<Same<Body<core.operations['getMediaUpload']['responses'][401]>, Core['LegacyErrors']>>()

// Required parameters are required, and no others are.
type Query<Id extends keyof ads.operations> = ads.operations[Id]['parameters']['query']
const campaign: NonNullable<Query<'createCampaign'>> = {
  funding_instrument_id: 'g50ay5',
  name: 'Spring',
}
// @ts-expect-error: a campaign needs a funding instrument.
const noCampaign: NonNullable<Query<'createCampaign'>> = { name: 'Spring' }
const list: Query<'listCampaigns'> = { count: 10, with_deleted: true, sort_by: ['created_at-desc'] }
// @ts-expect-error: a page has a number of items.
const noList: Query<'listCampaigns'> = { count: 'ten' }
const path: ads.operations['getCampaign']['parameters']['path'] = { account_id: '1', campaign_id: '2' }
// @ts-expect-error: the path names the campaign.
const noPath: ads.operations['getCampaign']['parameters']['path'] = { account_id: '1' }
const grant: Core['BearerTokenForm'] = { grant_type: 'client_credentials' }
// @ts-expect-error: OAuth 2.0 requires a grant type.
const noGrant: Core['BearerTokenForm'] = {}
const webhook: Core['CreateWebhookBody'] = { url: 'https://hooks.example.com/plaza' }
// @ts-expect-error: a webhook needs a URL.
const noWebhook: Core['CreateWebhookBody'] = {}

// Every status of an upload is declared.
type Upload = core.operations['uploadMedia']['responses']
holds<Same<Body<Upload[200]>, Core['MediaUpload']>>()
holds<Same<Body<Upload[201]>, Core['MediaUpload']>>()
holds<Same<Body<Upload[202]>, Core['MediaUpload']>>()
holds<Same<Upload[204]['content'], undefined>>()

export { campaign, code, grant, list, noCampaign, noCode, noGrant, noList, noPath, noWebhook, path, webhook }
