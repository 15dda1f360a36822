import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { normalForm } from './normal-form.ts'

describe('spellings of one webhook URL', () => {
  const cases: [string, string][] = [
    ['https://Hooks.Example.COM/a', 'https://hooks.example.com/a'],
    ['HTTPS://hooks.example.com:443/a', 'https://hooks.example.com/a'],
    ['http://127.0.0.1:80/a', 'http://127.0.0.1/a'],
    ['http://127.0.0.1:0080/a', 'http://127.0.0.1/a'],
    ['http://0x7f.1:3000/a', 'http://127.0.0.1:3000/a'],
    ['http://2130706433:3000/a', 'http://127.0.0.1:3000/a'],
    ['http://0177.0.0.01:3000/a', 'http://127.0.0.1:3000/a'],
    ['http://[0:0:0:0:0:0:0:1]:3000/a', 'http://[::1]:3000/a'],
    ['http://[::FFFF:127.0.0.1]:3000/a', 'http://127.0.0.1:3000/a'],
    ['http://[::ffff:7f00:1]:3000/a', 'http://127.0.0.1:3000/a'],
    ['https://hooks.example.com', 'https://hooks.example.com/'],
    ['https://hooks.example.com/a/./b/../c', 'https://hooks.example.com/a/c'],
    ['https://hooks.example.com/a/%2e/b/%2E%2e/c', 'https://hooks.example.com/a/c'],
    ['https://hooks.example.com/%7eplaza/%41%2db', 'https://hooks.example.com/~plaza/A-b'],
    ['https://hooks.example.com/%c3%bc', 'https://hooks.example.com/%C3%BC'],
    ['https://hooks.example.com/\u00fc', 'https://hooks.example.com/%C3%BC'],
    ['https://hooks.example.com/a|b[c]', 'https://hooks.example.com/a%7Cb%5Bc%5D'],
    ['https://hooks.example.com/?q=%7e%2f|', 'https://hooks.example.com/?q=~%2F%7C'],
  ]
  for (const [url, expected] of cases)
    test(url, () => {
      assert.equal(normalForm(new URL(url)), expected)
      assert.equal(normalForm(new URL(expected)), expected)
    })
})

describe('different URLs stay different', () => {
  const pairs: [string, string][] = [
    ['https://h.example/a', 'https://h.example/A'],
    ['https://h.example/a', 'https://h.example/a/'],
    ['https://h.example/a%2Fb', 'https://h.example/a/b'],
    ['https://h.example/a%3Fb', 'https://h.example/a?b'],
    ['https://h.example/?a=%26', 'https://h.example/?a=&'],
    ['https://h.example/?a=%2B', 'https://h.example/?a=+'],
    ['https://h.example/', 'https://h.example/?'],
    ['https://h.example/%25', 'https://h.example/%2525'],
    ['http://127.0.0.1/', 'https://127.0.0.1/'],
    ['http://127.0.0.1:3000/', 'http://127.0.0.1:3001/'],
    ['http://localhost/', 'http://127.0.0.1/'],
    ['http://[::1]/', 'http://127.0.0.1/'],
  ]
  for (const [one, other] of pairs)
    test(`${one} and ${other}`, () => assert.notEqual(normalForm(new URL(one)), normalForm(new URL(other))))
})
