import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { runPlaza, type Started, startCli, temporaryFolder } from './cli.fixture.ts'

/** What an operator imports into catalogs beside the server that is running. */

const COLUMNS = [
  'id',
  'title',
  'description',
  'availability',
  'condition',
  'price',
  'link',
  'image_link',
  'brand',
  'size',
]

const row = (id: string, change: Record<string, string> = {}) => {
  const fields: Record<string, string> = {
    id,
    title: `Product ${id}`,
    description: 'Plain',
    availability: 'in_stock',
    condition: 'new',
    price: '20.00 USD',
    link: 'https://shop.example.com/',
    image_link: 'https://shop.example.com/1.jpg',
    brand: 'Acme',
    size: 'M',
    ...change,
  }
  return COLUMNS.map((name) => fields[name]).join('\t')
}

const tabbed = (...rows: string[]) => `${[COLUMNS.join('\t'), ...rows].join('\n')}\n`

function fileOf(t: TestContext, content: string): string {
  const file = join(temporaryFolder(t), 'feed.txt')
  writeFileSync(file, content)
  return file
}

async function imported(t: TestContext, { data }: Started, content: string, ...args: string[]) {
  const file = fileOf(t, content)
  return { file, ...(await runPlaza(t, ['import', 'products', file, `--data=${data}`, ...args])) }
}

async function products(t: TestContext, { data }: Started, catalog: string) {
  const path = `/12/product_catalogs/${catalog}/products`
  const { stdout } = await runPlaza(t, ['request', 'GET', path, '--host=ads', `--data=${data}`, '--json'])
  return (JSON.parse(stdout) as { body: { data: Record<string, unknown>[] } }).body.data
}

const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

test('a feed is imported, and rejected products are reported with their lines', async (t) => {
  const plaza = await startCli(t)
  const feed = tabbed(
    row('a'),
    row('twice'),
    row('b', { price: '20 dollars' }),
    row('twice', { size: 'L' }),
    row('c', { title: '' }),
    row('d'),
  )
  const none = await imported(t, plaza, feed, '--user=@demo')
  assert.equal(none.code, 1)
  assert.match(none.stderr, /@demo has no product catalog/)

  const first = await imported(t, plaza, feed, '--user=demo', '--name=Feed')
  assert.equal(first.code, 1, first.stderr)
  assert.deepEqual(first.stderr.trim().split('\n'), [
    `${first.file}:3: error: twice: this id occurs several times in the file`,
    `${first.file}:5: error: twice: this id occurs several times in the file`,
    `${first.file}:4: error: b: price must be a number, one space and an ISO 4217 code, for example "20.00 USD"`,
    `${first.file}:6: error: c: title is required`,
  ])
  assert.match(first.stdout, /Created 2 {2}Updated 0 {2}Unchanged 0 {2}Rejected 4/)
  const catalog = /catalog Feed \((\d+)\)/.exec(first.stdout)?.[1] ?? ''
  assert.deepEqual(
    (await products(t, plaza, catalog)).map(({ id, availability }) => [id, availability]),
    [
      ['a', 'in stock'],
      ['d', 'in stock'],
    ],
  )

  const again = await imported(
    t,
    plaza,
    tabbed(row('a'), row('d', { size: 'L' }), row('e')),
    `--catalog=${catalog}`,
    '--json',
  )
  assert.equal(again.code, 0, again.stderr)
  assert.deepEqual(lines(again.stdout), [
    { product_catalog_id: catalog, created: 1, updated: 1, unchanged: 1, rejected: 0 },
  ])
})

test('RSS with thousands of products fills the catalog of the sandbox', async (t) => {
  const plaza = await startCli(t)
  const items = Array.from(
    { length: 3_000 },
    (_, n) => `<item><g:id>sku-${n}</g:id><title>Product ${n}</title><description>Plain</description>
      <link>https://shop.example.com/${n}</link><g:image_link>https://shop.example.com/${n}.jpg</g:image_link>
      <g:availability>in stock</g:availability><g:condition>new</g:condition>
      <g:price>${n % 2 === 0 ? '20.00 USD' : 'free'}</g:price><g:brand>Acme</g:brand></item>`,
  )
  const feed = `<rss xmlns:g="http://base.google.com/ns/1.0"><channel>${items.join('\n')}</channel></rss>`
  const { code, stdout } = await imported(
    t,
    plaza,
    feed,
    '--user=demo',
    '--sandbox',
    '--name=Sandbox',
    '--json',
  )
  assert.equal(code, 1)
  const told = lines(stdout)
  const { product_catalog_id, ...counts } = told.at(-1) as Record<string, unknown>
  assert.match(String(product_catalog_id), /^\d+$/)
  assert.deepEqual(counts, { created: 1_500, updated: 0, unchanged: 0, rejected: 1_500 })
  assert.equal(told.length, 1_501)
  assert.deepEqual(told[0], {
    line: 5,
    id: 'sku-1',
    kind: 'error',
    message: 'price must be a number, one space and an ISO 4217 code, for example "20.00 USD"',
  })
})

test('a command that cannot be understood or a feed that cannot be read says why', async (t) => {
  const plaza = await startCli(t)
  const made = await imported(t, plaza, tabbed(row('a')), '--user=demo', '--name=Feed', '--json')
  const [{ product_catalog_id: catalog } = {}] = lines(made.stdout)
  const tries: [string, string[], number, RegExp][] = [
    [tabbed(), [], 2, /either --catalog or --user/],
    [tabbed(), ['--user=demo', `--catalog=${catalog}`], 2, /either --catalog or --user/],
    [tabbed(), ['--catalog=1'], 1, /There is no product catalog 1/],
    [tabbed(), ['--user=nobody'], 1, /There is no user nobody/],
    [
      tabbed(),
      [`--catalog=${catalog}`, '--format=ods'],
      2,
      /--format must be one of tsv, csv, xml, not "ods"/,
    ],
    [tabbed(), [`--catalog=${catalog}`, '--encoding=x'], 2, /--encoding must be the name of an .* not "x"/],
    ['<rss><item></rss>', [`--catalog=${catalog}`], 1, /line 1 is not well-formed/],
    ['a\tb\n', [`--catalog=${catalog}`], 1, /line 1 must name the columns/],
  ]
  for (const [content, args, code, sentence] of tries) {
    const ended = await imported(t, plaza, content, ...args)
    assert.equal(ended.code, code, ended.stderr)
    assert.match(ended.stderr, sentence)
  }
  const missing = await runPlaza(t, [
    'import',
    'products',
    '/no/such/file',
    '--user=demo',
    `--data=${plaza.data}`,
  ])
  assert.match(missing.stderr, /There is no file \/no\/such\/file/)
  assert.equal((await products(t, plaza, String(catalog))).length, 1, 'nothing else was stored')
})
