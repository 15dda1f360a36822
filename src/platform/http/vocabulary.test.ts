import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import Fastify from 'fastify'
import { type TSchema, Type } from 'typebox'
import { endpoint } from '../../../test/support/endpoint.ts'
import { legacy } from '../protocols/legacy/protocol.ts'
import type { Services } from './contract.ts'
import { ApiError } from './errors.ts'
import { fixed, words as list, type Message, messageText, msg, word } from './message.ts'
import { mount } from './mount.ts'
import { renamedSchema } from './renamed-schema.ts'
import { compileReply } from './reply.ts'
import { json } from './reply-kinds.ts'
import { rejectSharedRoutes } from './routes.ts'
import { choice, choices, standard } from './schema.ts'
import { readParameters, readPath } from './steps/parameters.ts'
import { send } from './steps/send.ts'
import { readVocabulary, renamed } from './vocabulary.ts'

const of = (file: object) => readVocabulary(JSON.stringify(file))

describe('a vocabulary', () => {
  const { name, path, header } = of({
    words: { post: 'note', posts: 'notes', svc: 'hub', service: 'hub', webhook: 'hook', webhooks: 'hooks' },
    identifiers: { result_count: 'total' },
    paths: { '/2/posts/{post_id}/likes': '/2/likes/{note_id}' },
    headers: { 'x-transaction-id': 'x-hub-id' },
  })

  test('renames words inside identifiers, in any case', () => {
    const pairs = {
      post: 'note',
      posts: 'notes',
      post_id: 'note_id',
      'post.fields': 'note.fields',
      referencedPosts: 'referencedNotes',
      PostCreate: 'NoteCreate',
      POST_ID: 'NOTE_ID',
      // A plural is a separate word.
      services: 'services',
      ONLINE_SERVICES: 'ONLINE_SERVICES',
      postal: 'postal',
      outpost: 'outpost',
      repost_count: 'repost_count',
    }
    for (const [from, to] of Object.entries(pairs)) assert.equal(name(from), to)
  })

  test('whole identifiers, paths and headers win over words', () => {
    assert.equal(name('result_count'), 'total')
    assert.equal(path('/2/posts/{post_id}/likes'), '/2/likes/{note_id}')
    assert.equal(path('/2/webhooks/{webhook_id}'), '/2/hooks/{hook_id}')
    assert.equal(header('x-transaction-id'), 'x-hub-id')
    assert.equal(header('x-svc-webhooks-signature'), 'x-hub-hooks-signature')
  })

  test('renames the words of messages, and not what is quoted in them', () => {
    const words = of({ words: { post: 'note', posts: 'notes', service: 'hub' } })
    const said = (message: Message) => messageText(message, words)
    const sent = 'my_post_list'
    assert.equal(said(msg`Post ${sent} of post_id needs posts`), 'Note my_post_list of note_id needs notes')
    assert.equal(said(msg`Send POST with ${word('post_id')}`), 'Send POST with note_id')
    assert.equal(
      said(msg`${fixed('Promoted Post')} x: one of ${list(['POST', 'USER'])}`),
      'Promoted Note x: one of NOTE, USER',
    )
    assert.equal(words.text('Service Unavailable'), 'Service Unavailable')
    assert.deepEqual(['SERVICE_UNAVAILABLE', 'POST_NOT_FOUND'].map(words.code), [
      'SERVICE_UNAVAILABLE',
      'NOTE_NOT_FOUND',
    ])
  })

  test('gives an endpoint several paths and versions', () => {
    const words = of({
      words: { post: 'note' },
      paths: { '/12/old/{post_id}': ['/12/new/{note_id}', '/12/old/{note_id}'] },
      versions: { '12': ['12', '11'] },
    })
    assert.deepEqual(words.paths('/12/old/{post_id}'), [
      '/12/new/{note_id}',
      '/11/new/{note_id}',
      '/12/old/{note_id}',
      '/11/old/{note_id}',
    ])
    assert.equal(words.path('/12/old/{post_id}'), '/12/new/{note_id}')
    assert.deepEqual(words.paths('/2/post'), ['/2/note'])
    assert.deepEqual(words.prefixes('12'), ['/12/', '/11/'])
  })

  test('takes several spellings of a word or an identifier, and writes the first', () => {
    const words = of({
      words: { post: ['note', 'post'], repost: ['echo', 'repost', 'share'], svc: 'hub' },
      identifiers: { 'post.fields': ['post.fields', 'note.fields'], post_count: 'note_count' },
    })
    assert.deepEqual(
      ['post_id', 'post.fields', 'post_count', 'svc_id', 'id', 'PostRepost'].map(words.spellings),
      [
        ['note_id', 'post_id'],
        ['post.fields', 'note.fields'],
        ['note_count'],
        ['hub_id'],
        ['id'],
        ['NoteEcho', 'PostRepost', 'NoteShare'],
      ],
    )
    assert.deepEqual(['post_id', 'post.fields', 'post_count'].map(words.name), [
      'note_id',
      'post.fields',
      'note_count',
    ])
    assert.deepEqual(words.paths('/2/post/{post_id}/repost'), [
      '/2/note/{note_id}/echo',
      '/2/note/{note_id}/repost',
      '/2/note/{note_id}/share',
      '/2/post/{note_id}/echo',
      '/2/post/{note_id}/repost',
      '/2/post/{note_id}/share',
    ])
    const many = of({ words: { post: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'] } })
    assert.equal(many.paths('/post/{id}/post').length, 100)
    assert.throws(
      () => many.paths('/post/post/post'),
      /the vocabulary gives \/post\/post\/post more than 100 paths/,
    )
    assert.equal(words.text('a post'), 'a note')
  })

  test('may name types of events otherwise', () => {
    const lexicon = {
      words: new Set(['post', 'create', 'like']),
      identifiers: new Set(['post.create', 'post.like.create', 'post.fields']),
      events: new Set(['post', 'create', 'like']),
      eventTypes: new Set(['post.create', 'post.like.create']),
      paths: new Set(['/2/post']),
      headers: new Set<string>(),
      versions: new Set(['2']),
    }
    const read = (events: object) =>
      readVocabulary(JSON.stringify({ words: { post: 'note', like: 'heart' }, events }), 'file.json', lexicon)
    const names = ['post.create', 'post.like.create', 'post.fields', 'post']
    assert.deepEqual(names.map(read({}).name), ['note.create', 'note.heart.create', 'note.fields', 'note'])
    const words = read({ post: 'post' })
    assert.deepEqual(names.map(words.name), ['post.create', 'post.heart.create', 'note.fields', 'note'])
    assert.equal(words.text('A post of post.create'), 'A note of post.create')
    assert.deepEqual(read({ post: ['post', 'note'] }).spellings('post.create'), [
      'post.create',
      'note.create',
    ])
    assert.throws(
      () => read({ posts: 'posts' }),
      /at \/events\/posts: the interface has no word of event types "posts"; did you mean "post"\?/,
    )
  })

  test('names what is wrong with a file', () => {
    assert.throws(
      () => readVocabulary('{\n  "words": }', 'file.json'),
      /^Error: file\.json:2:12: this is not JSON: Unexpected token/,
    )
    assert.throws(() => readVocabulary('[]'), /JSON object/)
    assert.throws(
      () => of({ word: {} }),
      /unknown member "word"; known are words, identifiers, paths, headers, versions, events/,
    )
    assert.throws(() => of({ words: [] }), /"words" must be an object/)
    assert.throws(() => of({ words: { post: 'a b' } }), /at \/words\/post: "a b" is not an identifier/)
    assert.throws(() => of({ words: { post: 1 } }), /is not an identifier/)
    assert.throws(() => of({ words: { POST: 'note' } }), /"POST" is not a word in small letters/)
    assert.throws(() => of({ versions: { '12': [] } }), /"12" needs 1 to 10 names/)
    assert.throws(() => of({ words: { post: [] } }), /"post" needs 1 to 10 names/)
    assert.throws(() => of({ headers: { 'x-id': ['x-a', 'x-b'] } }), /\["x-a","x-b"\] is not an identifier/)
    assert.throws(
      () => of({ paths: { '/2/posts/{post_id}': '/2/posts/{id}' } }),
      /the parameters of "\/2\/posts\/\{id\}" must be \{post_id\}/,
    )
  })
})

test('values of an enumeration are renamed unless another standard defines them', () => {
  const vocabulary = of({ words: { video: 'clip' } })
  const written = (schema: TSchema) => {
    const write = compileReply(Type.Object({ type: schema }), vocabulary)
    return [renamedSchema(schema, vocabulary), write({ type: 'video/mp4' })]
  }
  assert.deepEqual(written(choice(['video/mp4'], '')), [
    { type: 'string', description: '', enum: ['clip/mp4'] },
    '{"type":"clip/mp4"}',
  ])
  assert.deepEqual(written(standard(choice(['video/mp4'], ''))), [
    { type: 'string', description: '', enum: ['video/mp4'] },
    '{"type":"video/mp4"}',
  ])
  assert.deepEqual(renamedSchema(standard(choices(['video/mp4'], '')), vocabulary).items, {
    type: 'string',
    enum: ['video/mp4'],
  })
})

describe('names that fall together', () => {
  test('in one place are an error that names both', () => {
    assert.throws(
      () => renamed(of({ words: { post: 'note' } }), ['post_id', 'note_id'], 'a body'),
      /the vocabulary calls both "post_id" and "note_id" "note_id" in a body/,
    )
  })

  const text = Type.Optional(Type.String())
  const clash = {
    id: 'clash',
    host: 'core',
    method: 'POST',
    path: '/2/clash',
    summary: '',
    description: '',
    source: '',
    auth: ['none'],
    reply: Type.Object({}),
    handle: async () => json({}),
  } as const
  const members = { post: text, note: text }
  const clashes = {
    query: endpoint({ ...clash, query: members }),
    form: endpoint({ ...clash, form: members }),
    body: endpoint({ ...clash, body: Type.Object(members) }),
    choice: endpoint({ ...clash, query: { kind: Type.Optional(choice(['post', 'note'], '')) } }),
    reply: endpoint({ ...clash, reply: Type.Object(members) }),
  }
  const services = {
    naming: { vocabulary: of({ words: { post: 'note', posts: 'notes' } }), problemBase: '' },
    limitRules: 'off',
    steps: [readPath, readParameters, send],
    schemesOf: () => [],
    protocolAt: () => legacy,
    unknownPath: () => new ApiError('not found'),
  } as unknown as Services

  for (const [where, declared] of Object.entries(clashes)) {
    test(`in a ${where} keep Plaza from starting`, () => {
      assert.throws(
        () => mount(Fastify(), { own: [declared], hidden: [] }, services),
        /the vocabulary calls both "post" and "note" "note"/,
      )
    })
  }

  test('as another spelling of a request keep Plaza from starting', () => {
    const vocabulary = of({ words: { post: ['memo', 'note'] } })
    const naming = { ...services.naming, vocabulary }
    const own = (declared: (typeof clashes)['body']) => ({ own: [declared], hidden: [] })
    for (const where of ['query', 'form', 'body', 'choice'] as const)
      assert.throws(
        () => mount(Fastify(), own(clashes[where]), { ...services, naming }),
        /the vocabulary calls both "post" and "note" "note"/,
        where,
      )
    mount(Fastify(), own(clashes.reply), { ...services, naming })
  })

  test('as paths are an error that names both endpoints, whatever their parameters are called', () => {
    const at = (path: string, aliases: string[] = []) => endpoint({ ...clash, path, aliases })
    const notes = { words: { posts: 'notes' } }
    const former = { paths: { '/2/a/{x}': ['/2/a/{x}', '/2/old/{x}'] } }
    const both = 'the vocabulary gives both POST '
    for (const [file, endpoints, message] of [
      [notes, [at('/2/posts'), at('/2/notes')], `${both}/2/posts and POST /2/notes the path POST /2/notes`],
      [
        former,
        [at('/2/old/{y}'), at('/2/a/{x}')],
        `${both}/2/old/{y} and POST /2/a/{x} the path POST /2/old/{x}`,
      ],
      [
        former,
        [at('/2/a/{x}'), at('/2/b/{y}', ['/2/old/{y}'])],
        `${both}/2/a/{x} and POST /2/b/{y} the path POST /2/old/{y}`,
      ],
      [
        { paths: { '/2/{a}/{b}': ['/2/{a}/{b}', '/2/{b}/{a}'] } },
        [at('/2/{a}/{b}')],
        'the vocabulary gives POST /2/{a}/{b} the path /2/{b}/{a} twice',
      ],
      [
        { identifiers: { a_id: 'a-id' } },
        [at('/2/{a_id}')],
        'the vocabulary gives POST /2/{a_id} the path /2/{a-id}; a segment is a parameter, such as {id}, or has only letters, digits, "_", "." and "-"',
      ],
    ] as const)
      assert.throws(() => rejectSharedRoutes(endpoints, of(file)), { message })
    const reads = endpoint({ ...clash, method: 'GET', path: '/2/notes' })
    rejectSharedRoutes([at('/2/posts'), reads, at('/2/notes/{x}'), at('/2/notes/all')], of(notes))
    assert.throws(
      () => rejectSharedRoutes([reads, endpoint({ ...clash, path: '/2/posts', takesGet: true })], of(notes)),
      {
        message: 'the vocabulary gives both GET /2/notes and POST /2/posts the path GET /2/notes',
      },
    )
  })
})
