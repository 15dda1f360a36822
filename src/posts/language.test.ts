import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageOf } from './language.ts'

const cases: [string, string][] = [
  ['The best coffee is just around the corner', 'en'],
  ['Hello', 'en'],
  ['El mejor café está muy cerca', 'es'],
  ['Le meilleur café est dans la rue', 'fr'],
  ['Der beste Kaffee ist gleich um die Ecke', 'de'],
  ['Il caffè che non è come gli altri', 'it'],
  ['O melhor café que você já tomou, não é?', 'pt'],
  ['Лучший кофе за углом', 'ru'],
  ['角を曲がったところのコーヒー', 'ja'],
  ['最好的咖啡', 'zh'],
  ['최고의 커피', 'ko'],
  ['أفضل قهوة', 'ar'],
  ['', 'und'],
  ['123 😀', 'und'],
  ['#coffee @demo https://example.com/coffee $COF', 'und'],
]
for (const [text, language] of cases) {
  test(`"${text}" is taken for ${language}`, () => assert.equal(languageOf(text), language))
}
