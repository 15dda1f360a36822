// Builds a campaign on the advertising sandbox with the unmodified npm package "oauth-1.0a": an
// account, money, a campaign, line items in a batch, targeting, a promoted post; then one mistake,
// and what the history remembers.
//
//   npm start -- --ready-file ready.json
//   NODE_EXTRA_CA_CERTS=plaza-data/tls/ca.pem node examples/campaign.mjs ready.json
//
// NODE_EXTRA_CA_CERTS makes Node trust the local certificate authority.
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import OAuth from 'oauth-1.0a'

const {
  ads_sandbox_url: sandbox,
  app,
  user,
} = JSON.parse(readFileSync(process.argv[2] ?? 'ready.json', 'utf8'))
const signer = new OAuth({
  consumer: { key: app.consumer_key, secret: app.consumer_secret },
  signature_method: 'HMAC-SHA1',
  hash_function: (base, key) => createHmac('sha1', key).update(base).digest('base64'),
})
const token = { key: user.access_token, secret: user.access_token_secret }

/** Signs and sends: `form` is covered by the signature, a JSON body is not. */
async function call(method, path, { form, json } = {}) {
  const url = `${sandbox}/12${path}`
  const { Authorization } = signer.toHeader(
    signer.authorize({ url, method, ...(form && { data: form }) }, token),
  )
  const type = json ? 'application/json' : 'application/x-www-form-urlencoded'
  const response = await fetch(url, {
    method,
    headers: { Authorization, ...((form || json) && { 'content-type': type }) },
    ...((form || json) && { body: json ? JSON.stringify(json) : new URLSearchParams(form).toString() }),
  })
  const reply = await response.json()
  console.log(`${response.status} ${method} ${path.slice(0, 90)}`)
  return reply
}

const show = (value) => console.log(`    ${JSON.stringify(value)}`)
const hour = (offset) => `${new Date(Date.now() + offset * 3_600_000).toISOString().slice(0, 13)}:00:00Z`

const { data: account } = await call('POST', '/accounts')
const A = `/accounts/${account.id}`
const { data: funding } = await call('POST', `${A}/funding_instruments`, {
  form: {
    currency: 'USD',
    type: 'CREDIT_LINE',
    start_time: '2026-01-01',
    credit_limit_local_micro: '500000000',
  },
})
const { data: campaign } = await call('POST', `${A}/campaigns`, {
  form: {
    name: 'Spring sale',
    funding_instrument_id: funding.id,
    daily_budget_amount_local_micro: '55500000',
  },
})
show({ servable: campaign.servable, reasons_not_servable: campaign.reasons_not_servable })

const lineItem = {
  campaign_id: campaign.id,
  objective: 'ENGAGEMENTS',
  product_type: 'PROMOTED_POSTS',
  placements: ['ALL_ON_SERVICE'],
  bid_amount_local_micro: 1_500_000,
}
const batch = await call('POST', `/batch${A}/line_items`, {
  json: ['Morning', 'Evening'].map((name) => ({ operation_type: 'Create', params: { ...lineItem, name } })),
})
const [morning] = batch.data
show(batch.data.map(({ id, name, bid_strategy, pay_by }) => ({ id, name, bid_strategy, pay_by })))

const { data: places } = await call('GET', '/targeting_criteria/locations?location_type=COUNTRIES&q=iceland')
show(places)
await call('POST', `${A}/targeting_criteria`, {
  form: {
    line_item_id: morning.id,
    targeting_type: 'LOCATION',
    operator_type: 'EQ',
    targeting_value: places[0].targeting_value,
  },
})
// The account's id makes the text new: a user may not say the same thing twice.
const { data: post } = await call('POST', `${A}/post`, {
  form: { as_user_id: user.id, text: `Half price until Sunday #sale ${account.id}` },
})
const { data: promoted } = await call('POST', `${A}/promoted_posts`, {
  form: { line_item_id: morning.id, post_ids: post.id_str },
})
show(promoted)
const { data: now } = await call('GET', `${A}/campaigns/${campaign.id}`)
show({ servable: now.servable, effective_status: now.effective_status })

// A mistake: everything that is wrong is told at once, and nothing changes.
const wrong = await call('PUT', `${A}/line_items/${morning.id}`, {
  form: { bid_strategy: 'TARGET', frequency_cap: '3', daily_budget_amount_local_micro: '1' },
})
for (const error of wrong.errors) show(error)

await call('PUT', `${A}/line_items/${morning.id}`, { form: { entity_status: 'PAUSED' } })
const history = await call(
  'GET',
  `${A}/account_history?entity_type=LINE_ITEM&entity_id=${morning.id}&start_time=${encodeURIComponent(hour(-1))}&end_time=${encodeURIComponent(hour(1))}`,
)
for (const { change_type, change_by, changes } of history.data) show({ change_type, change_by, changes })
