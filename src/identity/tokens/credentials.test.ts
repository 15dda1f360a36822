import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom } from '../../platform/common/random.ts'
import type { Query } from '../../platform/storage/query.ts'
import { createSealer } from '../../platform/storage/seal.ts'
import type { Store } from '../../platform/storage/store.ts'
import { accessTokenByHash, credentialEpoch } from '../apps/queries.ts'
import { Credentials } from './credentials.ts'

const sealer = createSealer(systemRandom.bytes(32), systemRandom)

/** A store that answers when the test lets it, with the state at the time of the query. */
function slowStore(state: { epoch: string; token: object | undefined }) {
  const waiting: (() => void)[] = []
  const counts = { lookups: 0 }
  const first = async (query: Query<never, unknown>) => {
    const asked = query as unknown
    if (asked === credentialEpoch) return { value: state.epoch }
    assert.equal(asked, accessTokenByHash)
    counts.lookups++
    const seen = state.token
    await new Promise<void>((resolve) => waiting.push(resolve))
    return seen
  }
  return {
    // The only queries of a store in this test.
    store: { first, snapshotVersion: () => undefined } as unknown as Store,
    counts,
    answer: () => {
      for (const resolve of waiting.splice(0)) resolve()
    },
  }
}

function tokenRow() {
  const hash = sealer.hashToken('token')
  const sealed = sealer.seal('secret', `access token secret ${hash}`)
  return {
    token_hash: hash,
    secret_sealed: sealed,
    app_id: '1',
    user_id: '2',
    access: 'read',
    user_suspended: 0,
  }
}

async function lookUp(credentials: Credentials, answer: () => void) {
  await credentials.refresh()
  const found = credentials.accessToken('token')
  setImmediate(answer)
  return found
}

test('a credential is cached until the epoch changes', async () => {
  const state = { epoch: '1', token: tokenRow() as object | undefined }
  const { store, counts, answer } = slowStore(state)
  const credentials = new Credentials(store, sealer)
  assert.equal((await lookUp(credentials, answer))?.secret, 'secret')
  assert.equal((await lookUp(credentials, answer))?.secret, 'secret')
  assert.equal(counts.lookups, 1)
  state.token = undefined
  state.epoch = '2'
  assert.equal(await lookUp(credentials, answer), undefined)
})

test('the result of a slow read is not cached if a revocation happened in the meantime', async () => {
  const state = { epoch: '1', token: tokenRow() as object | undefined }
  const { store, answer } = slowStore(state)
  const credentials = new Credentials(store, sealer)
  await credentials.refresh()
  const early = credentials.accessToken('token')
  state.token = undefined
  state.epoch = '2'
  await credentials.refresh()
  answer()
  // This request came before the revocation returned. Every later one must be rejected.
  assert.equal((await early)?.secret, 'secret')
  assert.equal(await lookUp(credentials, answer), undefined)
})

test('an unknown credential is looked up again', async () => {
  const { store, counts, answer } = slowStore({ epoch: '1', token: undefined })
  const credentials = new Credentials(store, sealer)
  assert.equal(await lookUp(credentials, answer), undefined)
  assert.equal(await lookUp(credentials, answer), undefined)
  assert.equal(counts.lookups, 2)
})
