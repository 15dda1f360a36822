import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type FeedPlan, readFeed, submitted } from './feed.ts'
import { FeedError, type FeedItem } from './item.ts'
import { tabbedItems } from './tabbed.ts'
import { xmlItems } from './xml.ts'

const folder = mkdtempSync(join(tmpdir(), 'plaza-feed-'))
after(() => rmSync(folder, { recursive: true }))

async function all(items: AsyncIterable<FeedItem>): Promise<FeedItem[]> {
  const read: FeedItem[] = []
  for await (const item of items) read.push(item)
  return read
}

/** Reads a file with this content. */
function feed(content: string | Buffer, plan: FeedPlan = {}): Promise<FeedItem[]> {
  const file = join(folder, 'feed')
  writeFileSync(file, content)
  return all(readFeed(file, plan))
}

/** The text in chunks of this many characters. The result must not depend on the chunks. */
async function* cut(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

const RSS = `<?xml version="1.0"?>
<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">
  <channel>
    <title>Shop</title>
    <link>https://shop.example.com/</link>
    <item>
      <g:id>a</g:id>
      <title>Plain title</title>
      <g:description>Tom &amp; Jerry</g:description>
      <link>https://shop.example.com/a</link>
      <g:image_link><![CDATA[https://shop.example.com/a.jpg?x=1&y=2]]></g:image_link>
      <g:additional_image_link>https://shop.example.com/1.jpg</g:additional_image_link>
      <g:additional_image_link>https://shop.example.com/2.jpg</g:additional_image_link>
      <g:shipping><g:price>1.00 USD</g:price></g:shipping>
      <g:price>20.00 USD</g:price>
      <g:inventory>7</g:inventory>
    </item>
    <item><guid>b</guid><g:title>Said</g:title><title>Plain</title></item>
  </channel>
</rss>`

const RSS_ITEMS: FeedItem[] = [
  {
    line: 6,
    fields: {
      id: 'a',
      title: 'Plain title',
      description: 'Tom & Jerry',
      link: 'https://shop.example.com/a',
      image_link: 'https://shop.example.com/a.jpg?x=1&y=2',
      additional_image_link: 'https://shop.example.com/1.jpg,https://shop.example.com/2.jpg',
      price: '20.00 USD',
      inventory: '7',
    },
  },
  { line: 18, fields: { id: 'b', title: 'Said' } },
]

const TSV = [
  'id\tTitle\tImage Link\tnotes\tg:price\tinventory',
  'a\t"The ""best"" shoes"\thttps://a.example/1.jpg\tx\t20.00 USD\t7',
  '',
  'b\tTwo\t\t\t30.00 USD',
  'c\tThree\t\t\t\t\tone too many',
].join('\r\n')

const TSV_ITEMS: FeedItem[] = [
  {
    line: 2,
    fields: {
      id: 'a',
      title: 'The "best" shoes',
      image_link: 'https://a.example/1.jpg',
      price: '20.00 USD',
      inventory: '7',
    },
  },
  { line: 4, fields: { id: 'b', title: 'Two', image_link: '', price: '30.00 USD', inventory: '' } },
  {
    line: 5,
    fields: { id: 'c', title: 'Three', image_link: '', price: '', inventory: '' },
    problem: 'has 7 cells for 6 columns',
  },
]

test('tab-separated text is read by its column names, wherever it is cut', async () => {
  assert.deepEqual(await feed(TSV), TSV_ITEMS)
  for (const size of [1, 2, 3, 7, 50]) assert.deepEqual(await all(tabbedItems(cut(TSV, size))), TSV_ITEMS)
  assert.deepEqual(await feed(`\ufeff${TSV}`), TSV_ITEMS, 'a byte order mark is no part of a name')
})

test('comma-separated text is read, with commas or semicolons', async () => {
  const csv = 'id,title,price\r\na,"One, two",1.00 USD\r\nb,Three,2.00 USD\r\n'
  const items = [
    { line: 2, fields: { id: 'a', title: 'One, two', price: '1.00 USD' } },
    { line: 3, fields: { id: 'b', title: 'Three', price: '2.00 USD' } },
  ]
  assert.deepEqual(await feed(csv), items)
  assert.deepEqual(await feed(csv, { format: 'csv' }), items)
  for (const size of [1, 2, 3, 7]) assert.deepEqual(await all(tabbedItems(cut(csv, size), ',')), items)
  assert.deepEqual(await feed('id;title;price\na;"One, two";1.00 USD\nb;Three;2.00 USD'), items)
  assert.deepEqual(await feed('id\na'), [{ line: 2, fields: { id: 'a' } }])
})

test('quoted cells may contain line breaks, tabs and quotes, wherever they are cut', async () => {
  const tsv = 'id\ttitle\r\na\t"One\r\ntwo\t""three"""\r\nb\t"Large" shirt\nc\t5" wide\n'
  const items = [
    { line: 2, fields: { id: 'a', title: 'One\r\ntwo\t"three"' } },
    { line: 4, fields: { id: 'b', title: '"Large" shirt' } },
    { line: 5, fields: { id: 'c', title: '5" wide' } },
  ]
  assert.deepEqual(await feed(tsv), items)
  for (const size of [1, 2, 3, 7]) assert.deepEqual(await all(tabbedItems(cut(tsv, size))), items)
  for (const [text, message] of [
    ['id\ttitle\na\t"One\nb\ttwo', 'line 2 begins a quoted cell that does not end'],
    [
      'id\ttitle\na\t"One\nb\t"two',
      'line 2 begins a quoted cell with text after it: double the quotes inside',
    ],
    [`id\ttitle\na\t"${'x'.repeat(1024 * 1024)}`, 'line 2 begins a quoted cell that does not end'],
    [`id\ttitle\na\t${'x'.repeat(1024 * 1024)}`, 'line 2 is longer than 1048576 characters'],
  ] as const)
    await assert.rejects(feed(text), { name: 'FeedError', message })
})

test('a file may be in the encoding of its mark or declaration, or in a named one, and compressed', async () => {
  const xml = (declared: string) => `<?xml version="1.0"${declared}?>
    <rss xmlns:g="http://base.google.com/ns/1.0"><item><g:id>é</g:id></item></rss>`
  const tsv = 'id\ttitle\n1\té\n'
  const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()
  const read = async (content: Buffer, plan?: FeedPlan) =>
    (await feed(content, plan)).map(({ fields }) => fields)
  for (const content of [
    Buffer.from(xml(' encoding="ISO-8859-1"'), 'latin1'),
    Buffer.from(xml(" encoding='windows-1252'"), 'latin1'),
    Buffer.from(xml(' encoding="UTF-8"')),
    Buffer.from(`\ufeff${xml(' encoding="UTF-16"')}`, 'utf16le'),
    utf16be(`\ufeff${xml('')}`),
    Buffer.from(xml(' encoding="UTF-16"'), 'utf16le'),
    utf16be(xml(' encoding="UTF-16"')),
  ])
    for (const bytes of [content, gzipSync(content)]) assert.deepEqual(await read(bytes), [{ id: 'é' }])
  const latin = Buffer.from(tsv, 'latin1')
  const expected = [{ id: '1', title: 'é' }]
  assert.deepEqual(await read(latin, { encoding: 'latin1' }), expected)
  assert.deepEqual(await read(Buffer.from(`\ufeff${tsv}`, 'utf16le')), expected)
  assert.deepEqual(await read(gzipSync(tsv)), expected)
  for (const [content, message] of [
    [latin, 'line 1 or a line soon after it is no UTF-8: name the encoding with --encoding, such as latin1'],
    [Buffer.from(xml(' encoding="klingon"')), 'the encoding "klingon" is unknown'],
    [gzipSync(tsv).subarray(0, -9), 'the compressed file is damaged or incomplete'],
  ] as const)
    await assert.rejects(feed(content), { name: 'FeedError', message })
})

test('RSS is read with its product elements before its plain ones, wherever it is cut', async () => {
  assert.deepEqual(await feed(RSS), RSS_ITEMS)
  for (const size of [1, 2, 3, 7, 50]) assert.deepEqual(await all(xmlItems(cut(RSS, size))), RSS_ITEMS)
})

test('Atom is read, its links from their attributes', async () => {
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:product="http://base.google.com/ns/1.0">
    <id>shop</id>
    <entry>
      <id>tag:shop.example.com,2026:a</id><product:id>a</product:id>
      <title>Shoes</title><summary>Light</summary>
      <link rel="alternate" href="https://shop.example.com/a"/>
      <product:price>20.00 USD</product:price>
    </entry>
  </feed>`
  assert.deepEqual(await feed(atom), [
    {
      line: 3,
      fields: {
        id: 'a',
        title: 'Shoes',
        description: 'Light',
        link: 'https://shop.example.com/a',
        price: '20.00 USD',
      },
    },
  ])
})

test('a feed without the declaration of its prefix is read as it is meant', async () => {
  const [item] = await feed('<rss><channel><item><g:id>a</g:id></item></channel></rss>')
  assert.deepEqual(item?.fields, { id: 'a' })
})

test('an unreadable rest of the file is reported with its line', async () => {
  await assert.rejects(feed('<rss>\n<channel>\n<item></channel></rss>'), (error: Error) => {
    assert.ok(error instanceof FeedError)
    assert.match(error.message, /^line 3 is not well-formed/)
    return true
  })
  await assert.rejects(feed('<rss><channel>'), /is not well-formed/)
  await assert.rejects(
    feed('title\tprice\nx\ty'),
    /^FeedError: line 1 must name the columns, one of them "id"/,
  )
  await assert.rejects(feed(Buffer.from([0x69, 0x64, 0x0a, 0xff, 0xfe])), /is no UTF-8/)
  await assert.rejects(feed(`id\n${'x'.repeat(1024 * 1024 + 70_000)}`), /line 2 is longer than/)
  await assert.rejects(feed('<a>'.repeat(200)), /deeper than 100 elements/)
})

test('entities that a document declares are not unfolded', async () => {
  const bomb = `<!DOCTYPE rss [<!ENTITY a "${'x'.repeat(100)}"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>
    <rss><channel><item><g:id>&b;&f;</g:id></item></channel></rss>`
  await assert.rejects(feed(bomb), /declares entities or elements/)
})

test('an empty file has no products', async () => {
  assert.deepEqual(await feed(''), [])
  assert.deepEqual(await feed('id\ttitle\n'), [])
})

test('text of a feed becomes what a call would submit', () => {
  assert.deepEqual(
    submitted({
      id: ' a ',
      title: '',
      inventory: '7',
      availability: 'In_Stock',
      age_group: 'all_ages',
      size: '42',
    }),
    { id: 'a', inventory: 7, availability: 'in stock', age_group: 'all ages', size: '42' },
  )
  assert.deepEqual(submitted({ inventory: 'many' }), { inventory: 'many' })
})

/** Endless text, which counts how much of it was read. */
function endless(start: string, more: string) {
  const state = { characters: 0 }
  async function* chunks() {
    yield start
    const chunk = more.repeat(Math.ceil(16_384 / more.length))
    for (;;) {
      state.characters += chunk.length
      // Stops a reader that has no limit, before it exhausts the memory of the machine.
      if (state.characters > 50_000_000) throw new Error('read without a bound')
      yield chunk
    }
  }
  return { state, items: () => all(xmlItems(chunks())) }
}

for (const [what, start, more, problem] of [
  [
    'text',
    '<rss><channel><item><title>',
    'x',
    /^line 1 holds text or a tag of more than 1048576 characters$/,
  ],
  ['text of entities', '<rss><channel><item><title>', '&amp;', /more than 1048576 characters$/],
  ['a value of an attribute', '<rss a="', 'x', /more than 1048576 characters$/],
  ['a name of an element', '<rss><', 'x', /more than 1048576 characters$/],
  ['an entity', '<rss>&', 'x', /more than 1048576 characters$/],
  ['a comment', '<rss><!--', 'x', /more than 1048576 characters$/],
  ['a CDATA section', '<rss><![CDATA[', 'x', /more than 1048576 characters$/],
  ['an instruction', '<?xml version="1.0"?><?a ', 'x', /more than 1048576 characters$/],
  ['a document type', '<!DOCTYPE rss [', ' ', /more than 1048576 characters$/],
  ['depth', '<rss>', '<a>', /^line 1 is deeper than 100 elements$/],
  ['elements of one product', '<rss><item>', '<a/>', /^line 1 is in a product of more than 1000 elements$/],
] as const)
  test(`a feed with endless ${what} is given up early`, async () => {
    const { state, items } = endless(start, more)
    await assert.rejects(items(), (error: Error) => error instanceof FeedError && problem.test(error.message))
    assert.ok(state.characters < 2_000_000, `${state.characters} characters were read`)
  })

test('an element has a bounded number of attributes', async () => {
  const attributes = (count: number) => Array.from({ length: count }, (_, n) => `a${n}="1"`).join(' ')
  assert.deepEqual(await feed(`<rss ${attributes(100)}></rss>`), [])
  await assert.rejects(feed(`<rss ${attributes(101)}></rss>`), {
    message: 'line 1 has an element with more than 100 attributes',
  })
})

test('entities cannot be declared, and none is fetched', async () => {
  const item = '<rss><channel><item><guid>a</guid></item></channel></rss>'
  assert.equal((await feed(`<!DOCTYPE rss SYSTEM "file:///etc/passwd">${item}`)).length, 1)
  await assert.rejects(feed(`<!DOCTYPE rss [<!ENTITY a "b">]>${item}`), {
    message: 'line 1 declares entities or elements: leave that out',
  })
  await assert.rejects(feed('<rss><channel><item><guid>&a;</guid></item></channel></rss>'), FeedError)
})

test('one field keeps as much of its text as any field may have', async () => {
  const [item] = await feed(
    `<rss><item><guid>a</guid><title>${'x'.repeat(60_000)}<![CDATA[${'y'.repeat(60_000)}]]></title></item></rss>`,
  )
  assert.equal(item?.fields.title?.length, 100_000)
})
