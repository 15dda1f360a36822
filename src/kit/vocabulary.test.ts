import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import Fastify from 'fastify'
import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import type { PipelineServices } from './pipeline.ts'
import { mount } from './pipeline.ts'
import { choice } from './schema.ts'
import { readVocabulary, renamed } from './vocabulary.ts'

const of = (file: object) => readVocabulary(JSON.stringify(file))

describe('a vocabulary', () => {
  const { name, path, header } = of({
    words: { post: 'note', svc: 'hub', webhook: 'hook' },
    identifiers: { result_count: 'total' },
    paths: { '/2/posts/{post_id}/likes': '/2/likes/{note_id}' },
    headers: { 'x-transaction-id': 'x-hub-id' },
  })

  test('renames words inside identifiers, in any case and number', () => {
    const pairs = {
      post: 'note',
      posts: 'notes',
      post_id: 'note_id',
      'post.fields': 'note.fields',
      referencedPosts: 'referencedNotes',
      PostCreate: 'NoteCreate',
      POST_ID: 'NOTE_ID',
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

  test('names what is wrong with a file', () => {
    assert.throws(() => readVocabulary('{'), /not JSON/)
    assert.throws(() => readVocabulary('[]'), /JSON object/)
    assert.throws(
      () => of({ word: {} }),
      /unknown member "word"; known are words, identifiers, paths, headers/,
    )
    assert.throws(() => of({ words: [] }), /"words" of the vocabulary must be an object/)
    assert.throws(() => of({ words: { post: 'a b' } }), /"words.post" of the vocabulary is not an identifier/)
    assert.throws(() => of({ words: { post: 1 } }), /is not an identifier/)
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
    handle: async () => ({}),
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
    speech: { vocabulary: of({ words: { post: 'note' } }), problemBase: '' },
    limitRules: 'off',
  } as PipelineServices

  for (const [where, declared] of Object.entries(clashes)) {
    test(`in a ${where} keep Plaza from starting`, () => {
      assert.throws(
        () => mount(Fastify(), 'core', [declared], services),
        /the vocabulary calls both "post" and "note" "note"/,
      )
    })
  }

  test('as paths keep Plaza from starting', () => {
    const others = [endpoint({ ...clash, path: '/2/posts' }), endpoint({ ...clash, path: '/2/notes' })]
    assert.throws(() => mount(Fastify(), 'core', others, services), /already declared/)
  })
})
