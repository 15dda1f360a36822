import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commands } from '../../app/cli/commands.ts'
import { commandHelp, generalHelp } from '../../app/cli/help.ts'
import { endpoints } from '../../app/endpoints.ts'
import { openApi } from '../../app/openapi/openapi.ts'
import { neutralVocabulary } from '../http/vocabulary.ts'
import { withArticle } from './article.ts'

test('a noun has the article of its sound', () => {
  const nouns = [
    'account',
    'user',
    'image',
    'URL',
    'hour',
    'IAB category',
    'unique name',
    'unit',
    'unimportant one',
    'line item',
  ]
  assert.deepEqual(nouns.map(withArticle), [
    'an account',
    'a user',
    'an image',
    'a URL',
    'an hour',
    'an IAB category',
    'a unique name',
    'a unit',
    'an unimportant one',
    'a line item',
  ])
})

test('titles, summaries, descriptions and help have the right articles', () => {
  const texts = [generalHelp(), ...commands.map(commandHelp)]
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, member] of Object.entries(value)) {
      if (['title', 'summary', 'description'].includes(name) && typeof member === 'string') texts.push(member)
      collect(member)
    }
  }
  for (const host of ['core', 'ads'] as const)
    collect(openApi(host, endpoints, { version: '1', vocabulary: neutralVocabulary, servers: {} }))
  assert.ok(texts.length > 1000)
  const wrong = texts.flatMap((text) =>
    [...text.matchAll(/\b(an?) ([a-z]{2,})/gi)]
      .filter(([, article = '', noun = '']) => withArticle(noun) !== `${article.toLowerCase()} ${noun}`)
      .map(([found]) => found),
  )
  assert.deepEqual([...new Set(wrong)], [])
})
