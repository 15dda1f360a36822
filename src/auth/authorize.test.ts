import type { Endpoint } from '../http/contract.ts'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError } from '../http/errors.ts'
import type { Permission } from '../identity/app.ts'
import type { Scope, Scopes } from '../identity/scopes.ts'
import { ALL_SCOPES, PUBLIC_SCOPES, scopesOf } from '../identity/scopes.ts'
import { authorize } from './authorize.ts'
import type { Principal } from './principal.ts'

/** Why a caller with some scopes is turned away; undefined: it is let in. */
function outcome(kind: Principal['kind'], scopes: Scopes, needed: readonly Scope[]): string | undefined {
  const principal = { kind, scopes, suspended: false } as Principal
  const endpoint = { auth: [kind], scopes: needed } as unknown as Endpoint
  try {
    authorize(principal, endpoint)
    return undefined
  } catch (error) {
    assert.ok(error instanceof ApiError)
    return error.reason
  }
}

describe('scopes', () => {
  test('of an access token follow from its level', () => {
    const of = (level: Permission) => [...scopesOf(level)]
    assert.deepEqual(of('read'), ['read'])
    assert.deepEqual(of('read-write'), ['read', 'write'])
    assert.deepEqual(of('read-write-directmessages'), ['read', 'write', 'direct-messages'])
  })

  test('must all be there, and the error tells which is not', () => {
    assert.equal(outcome('user', scopesOf('read'), ['read']), undefined)
    assert.equal(outcome('user', scopesOf('read'), ['write']), 'write not permitted')
    assert.equal(outcome('user', scopesOf('read-write'), ['write', 'read']), undefined)
    assert.equal(
      outcome('user', scopesOf('read-write'), ['read', 'direct-messages']),
      'direct messages not permitted',
    )
  })

  test('an app has for itself, whoever shows nothing may only read', () => {
    assert.equal(outcome('app', ALL_SCOPES, ['write']), undefined)
    assert.equal(outcome('none', PUBLIC_SCOPES, ['read']), undefined)
    assert.equal(outcome('none', PUBLIC_SCOPES, ['write']), 'write not permitted')
  })
})
