import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leavesOf, programOf } from '../../app/cli/command-line.ts'
import { commands } from '../../app/cli/commands.ts'
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
  const program = programOf(commands)
  const texts = [program, ...leavesOf(program)].map((command) => command.helpInformation())
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
