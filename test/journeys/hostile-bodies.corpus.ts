import { crc32 } from 'node:zlib'
import { box, gif, mp4, png } from '../support/media.ts'

/** A body that costs a careless parser far more than its size. */
export interface HostileBody {
  readonly name: string
  readonly method: string
  /** `{account}`, `{audience}` and `{catalog}` are those of the caller. */
  readonly path: string
  readonly type: string
  content(): Buffer
}

type Named = (name: string, content: () => Buffer) => HostileBody

const MB = 1024 * 1024

/** Bodies for one endpoint. */
const to =
  (method: string, path: string, type: string): Named =>
  (name, content) => ({ name, method, path, type, content })

/** A repeated part between two others, about this long. */
function filled(bytes: number, part: string | Buffer, before = '', after = ''): Buffer {
  const repeated = typeof part === 'string' ? Buffer.from(part) : part
  const [start, end] = [Buffer.from(before), Buffer.from(after)]
  const count = Math.floor((bytes - start.length - end.length) / repeated.length)
  return Buffer.concat([start, Buffer.alloc(count * repeated.length, repeated), end])
}

const numbered = (count: number, part: (index: number) => string, separator = '') =>
  Buffer.from(Array.from({ length: count }, (_, index) => part(index)).join(separator))

const json = (value: unknown) => Buffer.from(JSON.stringify(value))

const listOf = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index))

const membersOf = (count: number) => Object.fromEntries(listOf(count, (index) => [`m${index}`, 0]))

const NOT_UTF8 = Buffer.from([0xff])

const multipartBy = (boundary: string) =>
  to('POST', '/2/media/upload', `multipart/form-data; boundary=${boundary}`)
const multipart = multipartBy('B')
const partOf = (disposition: string) => `--B\r\nContent-Disposition: form-data; name=${disposition}\r\n\r\n`
const FILE = partOf('"media"; filename="x"')
const TEXT = partOf('"media_type"')
const LAST = '\r\n--B--\r\n'
const LONG_BOUNDARY = '-'.repeat(69)
const fileBy = (boundary: string) => FILE.replace('--B', `--${boundary}`)

const multiparts = [
  multipart('only boundaries', () => filled(14 * MB, '--B\r\n')),
  multipart('only boundaries after line ends', () => filled(14 * MB, '\r\n--B\r\n')),
  multipart('a megabyte of boundaries', () => filled(MB, '--B\r\n')),
  multipart('50,000 fields', () => numbered(50_000, (index) => `${partOf(`f${index}`)}x\r\n`)),
  multipart('50,000 files', () => numbered(50_000, () => `${FILE}x\r\n`)),
  multipart('a long text', () => filled(14 * MB, 'ä', TEXT, LAST)),
  multipart('a long text that is not UTF-8', () => filled(14 * MB, NOT_UTF8, TEXT, LAST)),
  multipart('a header line without an end', () => filled(14 * MB, 'x', '--B\r\nx: ')),
  multipart('header lines without an end', () => filled(14 * MB, 'x: y\r\n', '--B\r\n')),
  multipart('only line ends', () => filled(14 * MB, '\r\n')),
  multipart('a file of almost boundaries', () => filled(14 * MB, '\r\n--A', FILE, LAST)),
  multipart('a file of line ends and hyphens', () => filled(14 * MB, '\r\n-', FILE, LAST)),
  multipart('a name of escapes', () => Buffer.from(`${partOf(`"${'\\"'.repeat(3_500)}"`)}x${LAST}`)),
  multipart('many parameters', () => Buffer.from(`${partOf(`"a"${';a=b'.repeat(1_900)}`)}x${LAST}`)),
  multipartBy(`${LONG_BOUNDARY}-`)('a file of the letter of its boundary', () =>
    filled(14 * MB, '-', fileBy(`${LONG_BOUNDARY}-`)),
  ),
  multipartBy(`${LONG_BOUNDARY}x`)('a file that almost repeats its boundary', () =>
    filled(14 * MB, `\r\n--${LONG_BOUNDARY}y`, fileBy(`${LONG_BOUNDARY}x`)),
  ),
]

const FORM = 'application/x-www-form-urlencoded'

const forms = (bytes: number): [string, () => Buffer][] => [
  ['escaped letters', () => filled(bytes, '%41', 'media=')],
  ['escaped emoji', () => filled(bytes, '%F0%9F%98%80', 'media=')],
  ['escaped separators', () => filled(bytes, '%26', 'media=')],
  ['a malformed escape at the end', () => filled(bytes, '%41', 'media=', '%4')],
  ['plus signs', () => filled(bytes, '+', 'media=')],
  ['percent signs', () => filled(bytes, '%', 'media=')],
  ['exclamation marks', () => filled(bytes, '!', 'media=')],
  ['letters', () => filled(bytes, 'A', 'media=')],
  ['letters of two bytes', () => filled(bytes, 'é', 'media=')],
  ['text that is not UTF-8', () => filled(bytes, NOT_UTF8, 'media=')],
  ['ampersands', () => filled(bytes, '&')],
  ['ampersands and a malformed pair', () => filled(bytes, '&', '', 'a=%')],
  ['equals signs', () => filled(bytes, '=')],
  ['equals signs and a malformed escape', () => filled(bytes, '=', '', '%')],
  ['many pairs', () => filled(bytes, 'a=b&')],
  ['long values of one name', () => numbered(1_000, (at) => `a=${"'".repeat(bytes / 1_000 - 10)}${at}&`)],
  ['one name', () => filled(bytes, 'a')],
]

const JSON_TYPE = 'application/json'
const LARGE = '12345678901234567'

/** JSON that is hostile wherever it is sent. */
const jsons = (bytes: number): [string, () => Buffer][] => [
  ['nested lists', () => filled(bytes, ']', '['.repeat(bytes / 2))],
  ['open lists', () => filled(bytes, '[')],
  ['nested objects', () => Buffer.from(`${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}`)],
  ['open objects', () => filled(bytes, '{"a":')],
  ['a list of numbers', () => filled(bytes, '0,', '[', '0]')],
  ['a list of empty lists', () => filled(bytes, '[],', '[', '[]]')],
  ['a list of empty objects', () => filled(bytes, '{},', '[', '{}]')],
  ['a list of large numbers', () => filled(bytes, `${LARGE},`, '[', '0]')],
  ['a list of numbers, one of them large', () => filled(bytes, '0,', `[${LARGE},`, '0]')],
  ['nested lists around a large number', () => filled(bytes, ']', `${'['.repeat(bytes / 2)}${LARGE}`)],
  ['one number', () => filled(bytes, '1')],
  ['one fraction', () => filled(bytes, '1', '0.')],
  ['a member with one number', () => filled(bytes, '1', '{"text":', '}')],
  ['many members', () => Buffer.from(`{${numbered(bytes / 14, (at) => `"m${at}":0`, ',')}}`)],
  ['one member many times', () => filled(bytes, '"a":0,', '{', '"a":0}')],
  ['members named by numbers', () => Buffer.from(`{${numbered(bytes / 15, (at) => `"${at * 41}":0`, ',')}}`)],
  ['a prototype many times', () => filled(bytes, '"__proto__":{},', '{', '"a":0}')],
  ['escaped letters', () => filled(bytes, '\\u0041', '{"text":"', '"}')],
  ['escaped quotes', () => filled(bytes, '\\"', '{"text":"', '"}')],
  ['an open text of escapes', () => filled(bytes, '\\"', '{"text":"')],
  ['spaces', () => filled(bytes, ' ', '{', '}')],
  ['letters of three bytes', () => filled(bytes, '中', '{"text":"', '"}')],
  ['text that is not UTF-8', () => filled(bytes, NOT_UTF8, '{"text":"', '"}')],
  ['quotes', () => filled(bytes, '"')],
  ['large numbers in quotes', () => filled(bytes, `"${LARGE}",`, '[', '0]')],
  ['many short texts', () => filled(bytes, '"a",', '{"text":[', '"a"]}')],
]

const all = (named: Named, bodies: readonly [string, () => Buffer][], only = /./) =>
  bodies.filter(([name]) => only.test(name)).map(([name, content]) => named(name, content))

const rules = to('POST', '/2/posts/search/stream/rules', JSON_TYPE)
const upload = to('POST', '/2/media/upload', JSON_TYPE)
const batch = to('POST', '/12/batch/accounts/{account}/campaigns', JSON_TYPE)
const users = to('POST', '/12/accounts/{account}/custom_audiences/{audience}/users', JSON_TYPE)
const products = to('PUT', '/12/product_catalogs/{catalog}/products', JSON_TYPE)
const BASE64_MB = 20

const shaped = [
  upload('a member with a file in Base64', () => filled(BASE64_MB * MB, 'A\\/+=', '{"media":"', '"}')),
  upload('many long members', () =>
    Buffer.from(`{${numbered(90, (at) => `"m${at}":"${'x'.repeat(200_000)}"`, ',')}}`),
  ),
  rules('1,000 rules of many members', () =>
    json({ add: listOf(1_000, () => ({ value: 'cat', ...membersOf(100) })) }),
  ),
  rules('100,000 ids', () => json({ delete: { ids: listOf(100_000, String) } })),
  products('long values', () =>
    json({ products: listOf(25, (at) => ({ id: String(at), title: '<b>&amp;'.repeat(18_000) })) }),
  ),
  products('many members', () => json({ products: listOf(25, () => membersOf(900)) })),
  products('long lists', () =>
    json({
      products: listOf(25, (at) => ({ id: String(at), additional_image_link: listOf(900, () => 'a') })),
    }),
  ),
  batch('20,000 operations', () => filled(MB, '{"params":{"name":"x"}},', '[', '{}]')),
  batch('operations of many members', () =>
    json(listOf(40, () => ({ operation_type: 'Create', params: membersOf(600) }))),
  ),
  batch('operations of long lists', () =>
    json(listOf(40, () => ({ operation_type: 'Create', params: { name: listOf(600, () => 0) } }))),
  ),
  users('many wrong operations', () =>
    filled(5_000_000, `{"operation_type":"${'x'.repeat(1_950)}"},`, '[', '{}]'),
  ),
  users('many users', () =>
    filled(
      5_000_000,
      `{"email":["${'a'.repeat(64)}"]},`,
      '[{"operation_type":"Update","params":{"users":[',
      '{"email":[]}]}}]',
    ),
  ),
  to(
    'POST',
    '/12/accounts/{account}/campaigns',
    FORM,
  )('1,000 unknown names', () => numbered(1_000, (at) => `n${at}${'x'.repeat(50)}=1&`)),
  to(
    'POST',
    '/2/posts',
    JSON_TYPE,
  )('20 unknown members with long names', () =>
    Buffer.from(`{${numbered(20, (at) => `"${'n'.repeat(20_000)}${at}":0`, ',')}}`),
  ),
]

const file = (name: string, content: () => Buffer) =>
  multipart(name, () => Buffer.concat([Buffer.from(FILE), content(), Buffer.from(LAST)]))

function pngChunk(bytes: number): Buffer {
  const body = Buffer.concat([Buffer.from('teSt'), Buffer.alloc(bytes)])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(bytes)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), chunk.length - 4)
  return chunk
}

const bytes = (...values: number[]) => Buffer.from(values)
const latin = (content: Buffer) => content.toString('latin1')
/** As `filled`, after the beginning of a file. */
const grown = (length: number, part: Buffer, before: Buffer) =>
  Buffer.concat([before, filled(length - before.length, part)])

const PNG_HEAD = png(12, 5).subarray(0, 33)
const JPEG_HEAD = bytes(0xff, 0xd8)
const JPEG_FRAME = bytes(0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 5, 0, 12, 1, 1, 0x11, 0)
const GIF_HEAD = gif(12, 5).subarray(0, 19)
const VIDEO = mp4(12, 5)
const MOVIE_AT = latin(VIDEO).indexOf('moov') - 4
const EXIF = Buffer.concat([
  bytes(0xff, 0xe1, 0xff, 0xff),
  Buffer.from('Exif\0\0II*\0\x08\0\0\0'),
  Buffer.alloc(65_519, 1),
])

function nestedBoxes(depth: number): Buffer {
  const heads = listOf(depth, (at) => {
    const head = Buffer.from('\0\0\0\0moov')
    head.writeUInt32BE((depth - at) * 8)
    return head
  })
  return Buffer.concat(heads)
}

const files = [
  file('a PNG of empty chunks', () => grown(5 * MB, pngChunk(0), PNG_HEAD)),
  file('a PNG of one chunk', () => Buffer.concat([PNG_HEAD, pngChunk(5 * MB - 100)])),
  file('a JPEG of empty segments', () => grown(5 * MB, bytes(0xff, 0xfe, 0, 2), JPEG_HEAD)),
  file('a JPEG of fill bytes', () => grown(5 * MB, bytes(0xff), JPEG_HEAD)),
  file('a JPEG of scans', () => grown(5 * MB, bytes(0xff, 0xda, 0, 2), JPEG_FRAME)),
  file('a JPEG of camera data', () => grown(5 * MB, EXIF, JPEG_HEAD)),
  file('a GIF of short blocks', () => grown(15 * MB, bytes(1, 0x41), gif(12, 5).subarray(0, 43))),
  file('a GIF of empty extensions', () => grown(15 * MB, bytes(0x21, 0xf9, 0), GIF_HEAD)),
  file('a GIF of empty pictures', () =>
    grown(15 * MB, bytes(0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 0), GIF_HEAD),
  ),
  file('subtitles of empty lines', () => filled(MB, '\n', 'WEBVTT\n')),
  file('subtitles of arrows', () => filled(MB, '-->\n', 'WEBVTT\n')),
  file('subtitles of many cues', () => filled(MB, '00:01.000 --> 00:04.500\n', 'WEBVTT\n')),
  file('subtitles of spaces', () => filled(MB, `00:01.000${' '.repeat(900)}\n-->`, 'WEBVTT\n')),
  file('text', () => filled(5 * MB, 'a\n')),
  file('a video of empty boxes', () => grown(15 * MB, box('free'), VIDEO.subarray(0, MOVIE_AT))),
  file('a video of nested boxes', () => Buffer.concat([VIDEO.subarray(0, 28), nestedBoxes(100_000)])),
  file('a video of many tracks', () => {
    const track = VIDEO.subarray(latin(VIDEO).indexOf('trak') - 4)
    return Buffer.concat([VIDEO.subarray(0, 28), box('moov', filled(4 * MB, track))])
  }),
]

/** Every hostile body. Names are unique within an endpoint and type. */
export const HOSTILE_BODIES: readonly HostileBody[] = [
  ...multiparts,
  ...all(to('POST', '/1.1/media/upload.json', FORM), forms(8 * MB)),
  ...all(
    to('POST', '/2/media/upload', FORM),
    forms(BASE64_MB * MB),
    /^(escaped letters|plus signs|letters)$/,
  ),
  ...all(rules, jsons(4 * MB)),
  ...all(batch, jsons(MB)),
  ...all(to('POST', '/2/dm_conversations', JSON_TYPE), jsons(64 * 1024 - 100)),
  ...all(
    upload,
    jsons(BASE64_MB * MB),
    /^(open lists|many members|one number|escaped letters|a list of numbers)$/,
  ),
  ...all(users, jsons(5_000_000 - 100), /^(open lists|many members|a list of empty lists)$/),
  ...shaped,
  ...files,
]
