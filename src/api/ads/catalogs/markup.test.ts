import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasMarkup } from './markup.ts'

test('comparisons, arrows and words between brackets are no HTML', () => {
  for (const text of [
    'size a<b and c>d',
    'if x<y>z',
    'a < b > c',
    '<3 and >2',
    'I <love> it',
    '<size> fits < p and > i',
    'p<q or i>j',
    'A<->B, a<=b, b>=a',
    'contains & and &amp;',
    '',
  ])
    assert.equal(hasMarkup(text), false, text)
})

test('elements, comments and declarations are HTML', () => {
  for (const text of [
    '<b>bold</b>',
    'bold</b>',
    '</p >',
    'line<br/>line',
    'line<br />line',
    '<P>',
    '<h1 class = "x">',
    '<a href=/page>',
    '<a href="https://a.example/">here</a>',
    "<img\nsrc='x'>",
    '<input disabled>',
    '<video controls muted>',
    '<svg/onload=alert(1)>',
    '<script>alert(1)</script>',
    '<!-- hidden -->',
    '<!DOCTYPE html>',
    '<![CDATA[x]]>',
    'a<b and c>d <i>',
  ])
    assert.equal(hasMarkup(text), true, text)
})
