import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Endpoint } from '../../platform/http/contract.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { Permission } from '../apps/app.ts'
import {
  ALL_LEVELS,
  type Levels,
  levelsOf,
  PUBLIC_LEVELS,
  readScopes,
  requirementsOf,
  type Scope,
} from '../tokens/scopes.ts'
import { compileAuthorization, requireScope } from './authorize.ts'
import type { Principal } from './principal.ts'

/**
 * Why a caller with some levels is rejected; undefined if it is not. `permission` is that of the
 * app.
 */
function outcome(
  kind: Principal['kind'],
  levels: Levels,
  needed: readonly Scope[],
  permission: Permission = 'read',
): string | undefined {
  const principal = {
    kind,
    oauth: '1.0a',
    levels,
    suspended: false,
    app: { permission, enrolled: true },
  } as Principal
  const endpoint = {
    protocol: { name: 'problem' },
    auth: [kind],
    scopes: needed,
    moreScopes: [],
  } as unknown as Endpoint
  try {
    compileAuthorization(endpoint, { registrationUrl: undefined })(principal)
    return undefined
  } catch (error) {
    assert.ok(error instanceof ApiError)
    return error.reason
  }
}

describe('levels', () => {
  test('of an access token follow from its level', () => {
    const of = (level: Permission) => [...levelsOf(level)]
    assert.deepEqual(of('read'), ['read'])
    assert.deepEqual(of('read-write'), ['read', 'write'])
    assert.deepEqual(of('read-write-directmessages'), ['read', 'write', 'direct-messages'])
  })

  test('must all be granted; the error names the missing one', () => {
    assert.equal(outcome('user', levelsOf('read'), ['read']), undefined)
    assert.equal(outcome('user', levelsOf('read'), ['write']), 'write not permitted')
    assert.equal(outcome('user', levelsOf('read-write'), ['write', 'read']), undefined)
    assert.equal(
      outcome('user', levelsOf('read-write'), ['read', 'direct-messages']),
      'direct messages not permitted',
    )
  })

  test('missing on a token of an app that may write give a different error than an app that may only read', () => {
    assert.equal(outcome('user', levelsOf('read'), ['write'], 'read-write'), 'write not granted')
    assert.equal(outcome('user', levelsOf('read'), ['post.write'], 'read-write'), 'write not granted')
    assert.equal(
      outcome('user', levelsOf('read-write'), ['dm.write'], 'read-write-directmessages'),
      'direct messages not permitted',
    )
  })

  test('of an app acting for itself are all granted; without credentials only read is', () => {
    assert.equal(outcome('app', ALL_LEVELS, ['write']), undefined)
    assert.equal(outcome('none', PUBLIC_LEVELS, ['read']), undefined)
    assert.equal(outcome('none', PUBLIC_LEVELS, ['write']), 'write not permitted')
  })

  test('of an endpoint follow from its scopes, unless it names them', () => {
    assert.deepEqual(requirementsOf(['post.read', 'users.read']).levels, ['read'])
    assert.deepEqual(requirementsOf(['post.read', 'post.write', 'users.read']).levels, ['read', 'write'])
    assert.deepEqual(requirementsOf(['dm.read']).levels, ['direct-messages'])
    assert.deepEqual(requirementsOf(['read', 'dm.read', 'post.read']), {
      levels: ['read'],
      scopes: ['dm.read', 'post.read'],
      levelFirst: false,
    })
    assert.deepEqual(requirementsOf(['write']), { levels: ['write'], scopes: [], levelFirst: false })
  })

  test('that a call needs in addition are checked by its handler', () => {
    const reader = { kind: 'user', oauth: '1.0a', levels: levelsOf('read') } as Principal
    assert.doesNotThrow(() => requireScope(reader, 'like.read'))
    assert.throws(() => requireScope(reader, 'dm.read'), { reason: 'direct messages not permitted' })
  })

  test('that follow from scopes are checked', () => {
    assert.equal(outcome('user', levelsOf('read'), ['post.read', 'users.read']), undefined)
    assert.equal(outcome('user', levelsOf('read'), ['post.read', 'post.write']), 'write not permitted')
    assert.equal(outcome('user', levelsOf('read-write'), ['dm.write']), 'direct messages not permitted')
  })
})

describe('an access token of OAuth 2.0', () => {
  /** Why a token is rejected. `level` is that of the OAuth 1.0a token of the same app and user. */
  function outcomeOf(granted: string, needed: readonly Scope[], level?: Permission): string | undefined {
    const levels = level && levelsOf(level)
    const scopes = readScopes(granted)
    const principal = {
      kind: 'user',
      oauth: '2.0',
      levels,
      scopes,
      suspended: false,
      app: { enrolled: true },
    } as Principal
    const endpoint = {
      protocol: { name: 'problem' },
      auth: ['user'],
      scopes: needed,
      moreScopes: [],
    } as unknown as Endpoint
    try {
      compileAuthorization(endpoint, { registrationUrl: undefined })(principal)
      return undefined
    } catch (error) {
      assert.ok(error instanceof ApiError)
      return error.reason
    }
  }

  test('needs every declared scope, in either spelling', () => {
    assert.equal(outcomeOf('post.read users.read', ['post.read', 'users.read']), undefined)
    assert.equal(outcomeOf('post.read', ['post.read', 'users.read']), 'scope missing')
    assert.equal(outcomeOf('follows.read', ['follow.read']), undefined)
    assert.equal(outcomeOf('follow.read', ['follow.read']), undefined)
    assert.equal(outcomeOf('follows.read unknown', ['follow.write']), 'scope missing')
  })

  test('is rejected where only levels are declared', () => {
    assert.equal(outcomeOf('post.read', ['read']), 'auth kind not allowed')
  })

  test('has the level of the OAuth 1.0a token of the same app, where the level decides', () => {
    const needed = ['level-first', 'direct-messages', 'dm.read', 'dm.write'] as const
    assert.equal(outcomeOf('dm.read dm.write', needed), undefined)
    assert.equal(outcomeOf('post.read', needed), 'scope missing')
    assert.equal(outcomeOf('post.read', needed, 'read-write-directmessages'), undefined)
    assert.equal(outcomeOf('dm.read dm.write', needed, 'read'), 'direct messages not permitted')
    assert.equal(outcomeOf('dm.read dm.write', ['dm.read'], 'read'), undefined)
  })
})
