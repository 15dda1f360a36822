// Fills a campaign on the advertising sandbox with the unmodified npm package "oauth-1.0a":
// products and a set of them, an audience of hashed addresses, an uploaded image, a card, and a
// post that is published later.
//
//   npm start -- --ready-file ready.json
//   NODE_EXTRA_CA_CERTS=plaza-data/tls/ca.pem node examples/creatives.mjs ready.json
//
// NODE_EXTRA_CA_CERTS makes Node trust the local certificate authority.
import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { crc32, deflateSync } from 'node:zlib'
import OAuth from 'oauth-1.0a'

const {
  core_url: core,
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

/** Signs and sends: `form` is covered by the signature, a JSON body and a file are not. */
async function call(method, path, { form, json, file, base = `${sandbox}/12` } = {}) {
  const url = base + path
  const { Authorization } = signer.toHeader(
    signer.authorize({ url, method, ...(form && { data: form }) }, token),
  )
  let body = json && JSON.stringify(json)
  if (form) body = new URLSearchParams(form)
  if (file) {
    body = new FormData()
    body.set('media', new Blob([file]))
  }
  const headers = { Authorization, ...(json && { 'content-type': 'application/json' }) }
  const response = await fetch(url, { method, headers, body })
  const text = await response.text()
  console.log(`${response.status} ${method} ${path.slice(0, 90)}`)
  return text === '' ? undefined : JSON.parse(text)
}

const show = (value) => console.log(`    ${JSON.stringify(value)}`)

/** Asks again until what was asked for is done. */
async function until(done, ask) {
  for (;;) {
    const { data } = await ask()
    if (done(data)) return data
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

// A catalog: of three products one breaks a rule, and the others are kept.
const { data: catalogs } = await call('GET', '/product_catalogs')
const catalog = catalogs[0] ?? (await call('POST', '/product_catalogs?name=Shop')).data
const C = `/product_catalogs/${catalog.id}`
const product = (id, price) => ({
  id,
  title: `Chair ${id}`,
  description: 'A chair of beech wood.',
  availability: 'in stock',
  condition: 'new',
  price,
  link: `https://shop.example.com/${id}`,
  image_link: `https://shop.example.com/${id}.jpg`,
  brand: 'Example',
})
const { data: upsert } = await call('PUT', `${C}/products`, {
  json: { products: [product('c1', '19.90 USD'), product('c2', '49.90 USD'), product('c3', '9.999 USD')] },
})
for (const { id, status, errors } of upsert.products_response) show({ id, status, errors })
const { data: set } = await call('POST', `${C}/product_sets`, {
  json: {
    name: 'Cheap',
    type: 'FILTERED',
    filters: [{ attribute: 'price', operator: 'LESS_THAN', value: '20.00 USD' }],
  },
})
const done = await until(
  ({ processing_status }) => processing_status === 'DONE',
  () => call('GET', `${C}/product_sets/${set.id}`),
)
show({ processing_status: done.processing_status, products: done.product_ids?.length })

// An audience: addresses are normalized and hashed before they leave.
const { data: account } = await call('POST', '/accounts')
const A = `/accounts/${account.id}`
const { data: audience } = await call('POST', `${A}/custom_audiences`, { form: { name: 'Customers' } })
const hashed = (address) => createHash('sha256').update(address.trim().toLowerCase()).digest('hex')
const users = Array.from({ length: 120 }, (_, n) => ({ email: [hashed(`Customer${n}@example.com `)] }))
const uploaded = await call('POST', `${A}/custom_audiences/${audience.id}/users`, {
  json: [{ operation_type: 'Update', params: { users } }],
})
show(uploaded.data)
const ready = await until(
  ({ targetable }) => targetable,
  () => call('GET', `${A}/custom_audiences/${audience.id}`),
)
show({ targetable: ready.targetable, audience_size: ready.audience_size })

// An image of 800 x 800 points in one grey, uploaded where client libraries upload.
function png(side) {
  const chunk = (name, content) => {
    const body = Buffer.concat([Buffer.from(name, 'latin1'), content])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(content.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head[8] = 8
  const points = deflateSync(Buffer.alloc((side + 1) * side, 0x80))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const chunks = [chunk('IHDR', head), chunk('IDAT', points), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...chunks])
}
const { data: medium } = await call('POST', '/2/media/upload', { base: core, file: png(800) })
show({ media_key: medium.media_key, image: medium.image })
await call('POST', `${A}/media_library`, { form: { media_key: medium.media_key, name: 'Chair' } })

// A card with that image, and a post that shows it tomorrow.
const { data: card } = await call('POST', `${A}/cards`, {
  json: {
    name: 'Chairs',
    components: [
      { type: 'MEDIA', media_key: medium.media_key },
      {
        type: 'DETAILS',
        title: 'Chairs from $19.90',
        destination: { type: 'WEBSITE', url: 'https://shop.example.com/' },
      },
    ],
  },
})
show({ card_uri: card.card_uri, card_type: card.card_type })
const tomorrow = `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 16)}:00Z`
const { data: scheduled } = await call('POST', `${A}/scheduled_posts`, {
  form: {
    as_user_id: user.id,
    scheduled_at: tomorrow,
    text: `Sit down. #chairs ${account.id}`,
    card_uri: card.card_uri,
  },
})
show({ scheduled_status: scheduled.scheduled_status, scheduled_at: scheduled.scheduled_at })
