import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PlazaEndpoint as Endpoint } from '../../src/identity/auth/endpoint.ts'
import { acceptedBy, authWords, USER_TOKEN_WORDS, usedWords } from '../../src/identity/auth/kinds.ts'
import type { AuthKind } from '../../src/identity/auth/principal.ts'
import { requirementsOf, TOKEN_SCOPES, type TokenScope } from '../../src/identity/tokens/scopes.ts'
import { ApiError } from '../../src/platform/http/errors.ts'
import type { Cause } from '../../src/platform/protocols/catalogue.ts'
import { anyKind, assertRejected, assertSucceeded, authorization, call, deliver, draft } from './calls.ts'
import type { Extent } from './extent.ts'
import type { World } from './world.ts'

const SIGNED: readonly AuthKind[] = ['user', 'client', 'pending']

/** Every way of signing in, accepted or rejected with exactly the right body. */
export function authenticationTests(endpoint: Endpoint, world: () => World, extent: Extent): void {
  const { auth, protocol } = endpoint
  for (const kind of auth) {
    test(`takes ${authWords[kind]}`, async () => {
      const reply = await call(world(), endpoint, await draft(world(), endpoint, kind), { kind })
      assertSucceeded(world(), endpoint, reply)
      const level = reply.headers[world().vocabulary.header('x-access-level')]
      assert.equal(level, kind === 'user' ? 'read-write-directmessages' : undefined)
    })
  }
  // An endpoint without authentication ignores credentials.
  if (auth.every((kind) => kind === 'none')) return

  const rejected = (
    name: string,
    expected: ApiError | Cause,
    send: (world: World) => ReturnType<typeof call>,
  ) => {
    test(name, async () => assertRejected(world(), protocol, await send(world()), expected))
  }
  const good = (at: World) => draft(at, endpoint, anyKind(endpoint))

  if (!auth.includes('none')) {
    rejected('rejects a call without credentials', withoutCredentials(auth), async (at) =>
      deliver(at, endpoint, await good(at), []),
    )
  }
  if (extent === 'all') malformedTests(endpoint, rejected)
  rejected(
    'rejects an unknown bearer',
    'invalid token',
    withHeader(endpoint, 'Bearer AAAAAAAAAAAAAAAAAAAAAAunknown'),
  )
  otherKinds(endpoint, rejected)
  if (auth.some((kind) => SIGNED.includes(kind))) signatureTests(endpoint, world, { rejected, extent })
  if (auth.includes('user')) userTests(endpoint, world, rejected)
  userTokenTests(endpoint, world, rejected)
}

const withHeader = (endpoint: Endpoint, header: string) => async (at: World) =>
  deliver(at, endpoint, await draft(at, endpoint, anyKind(endpoint)), [header])

/** Malformed headers: every endpoint rejects them in the same step. */
function malformedTests(endpoint: Endpoint, rejected: Rejected): void {
  const good = (at: World) => draft(at, endpoint, anyKind(endpoint))
  rejected(
    'rejects an unknown scheme',
    kindNotAllowed(endpoint, 'scheme unknown'),
    withHeader(endpoint, 'Digest abc'),
  )
  for (const header of [
    'OAuth oauth_consumer_key=bare',
    'OAuth',
    'OAuth oauth_nonce="%zz"',
    'Bearer',
    'Bearer a b',
    ' ',
  ]) {
    rejected(
      `rejects the malformed header "${header}"`,
      'bad authentication data',
      withHeader(endpoint, header),
    )
  }
  rejected('rejects two schemes at once', 'bad authentication data', async (at) => {
    const one = await good(at)
    return deliver(at, endpoint, { ...one, query: [...one.query, ['oauth_signature', 'x']] }, ['Bearer abc'])
  })
  rejected('rejects two authorization headers', 'bad authentication data', async (at) =>
    deliver(at, endpoint, await good(at), ['Bearer abc', 'Bearer def']),
  )
}

type Rejected = (
  name: string,
  expected: ApiError | Cause,
  send: (world: World) => ReturnType<typeof call>,
) => void

const withoutCredentials = (auth: readonly AuthKind[]): Cause =>
  auth.length === 1 && auth[0] === 'basic' ? 'credentials unverifiable' : 'bad authentication data'

const kindNotAllowed = (
  endpoint: Endpoint,
  cause: 'scheme unknown' | 'auth kind not allowed',
  used: string = 'Unknown',
) => new ApiError(cause, { auth: { used, supported: acceptedBy(endpoint).words } })

/** The kinds that an endpoint does not accept, each with valid credentials. */
function otherKinds(endpoint: Endpoint, rejected: Rejected): void {
  const { auth } = endpoint
  const good = (at: World, kind: AuthKind) => draft(at, endpoint, kind)
  for (const kind of ['app', 'basic', 'client', 'user'] as const) {
    if (auth.includes(kind)) continue
    const pending = auth.includes('pending')
    const expected =
      pending && kind === 'client'
        ? 'bad authentication data'
        : pending && kind === 'user'
          ? 'invalid token'
          : kindNotAllowed(endpoint, 'auth kind not allowed', usedWords[kind])
    rejected(`rejects ${authWords[kind]}`, expected, async (at) => {
      const one = await good(at, kind)
      const pen = kind === 'user' ? await at.grant(await at.newUser()) : undefined
      return call(at, endpoint, { ...one, pen }, { kind })
    })
  }
  if (auth.includes('basic')) {
    rejected('rejects a wrong secret', 'credentials unverifiable', async (at) =>
      call(at, endpoint, await good(at, 'basic'), { kind: 'basic', wrongSecret: true }),
    )
  }
}

function signatureTests(
  endpoint: Endpoint,
  world: () => World,
  { rejected, extent }: { rejected: Rejected; extent: Extent },
): void {
  const kind = endpoint.auth.find((one) => SIGNED.includes(one)) as AuthKind
  const good = (at: World) => draft(at, endpoint, kind)
  test('rejects a replayed nonce', async () => {
    const one = await good(world())
    const header = (await authorization(world(), endpoint, one, { kind })) ?? ''
    assertSucceeded(world(), endpoint, await deliver(world(), endpoint, one, [header]))
    const again = await deliver(world(), endpoint, one, [header])
    // A call may have revoked the token that signed it.
    const expected = endpoint.id === 'invalidateToken' ? 'invalid token' : 'could not authenticate'
    assertRejected(world(), endpoint.protocol, again, expected)
  })
  if (extent === 'stored') return
  rejected('rejects a wrong signature', 'could not authenticate', async (at) =>
    call(at, endpoint, await good(at), { kind, wrongSecret: true }),
  )
  rejected('rejects a request that was changed after it was signed', 'could not authenticate', async (at) => {
    const one = await good(at)
    const header = (await authorization(at, endpoint, one, { kind })) ?? ''
    return deliver(at, endpoint, { ...one, query: [...one.query, ['more', '1']] }, [header])
  })
  for (const seconds of [-301, 301]) {
    rejected(`rejects a timestamp ${seconds} seconds away`, 'timestamp out of bounds', async (at) => {
      const atSeconds = Math.floor(at.plaza.clock.now() / 1000) + seconds
      return call(at, endpoint, await good(at), { kind, atSeconds })
    })
  }
}

function userTests(endpoint: Endpoint, world: () => World, rejected: Rejected): void {
  const signedBy = async (at: World, suspended: boolean, access: 'read' | 'read-write') => {
    const user = await at.newUser(suspended)
    const one = await draft(at, endpoint, 'user', user)
    return call(at, endpoint, { ...one, pen: await at.grant(user, access) }, { kind: 'user' })
  }
  rejected('rejects a suspended user', 'user suspended', (at) => signedBy(at, true, 'read-write'))
  const { levels } = requirementsOf(endpoint.scopes)
  if (levels.includes('write'))
    rejected('rejects a token that may only read', 'write not granted', (at) => signedBy(at, false, 'read'))
  if (levels.includes('direct-messages'))
    rejected('rejects a token without direct messages', 'direct messages not permitted', (at) =>
      signedBy(at, false, 'read-write'),
    )
  test('rejects a token that was revoked', async () => {
    const user = await world().newUser()
    const one = await draft(world(), endpoint, 'user', user)
    const revoked = await world().grant(user)
    await world().grant(user)
    const reply = await call(world(), endpoint, { ...one, pen: revoked }, { kind: 'user' })
    assertRejected(world(), endpoint.protocol, reply, 'invalid token')
  })
}

/** OAuth 2.0 access tokens: accepted with the declared scopes, or not at all. */
function userTokenTests(endpoint: Endpoint, world: () => World, rejected: Rejected): void {
  const { scopes } = requirementsOf([...endpoint.scopes, ...endpoint.moreScopes])
  const send = async (at: World, granted: readonly TokenScope[]) => {
    const user = await at.newUser()
    // A recipe for a user prepares what the user may call it with; its own signature is not sent.
    const kind = endpoint.auth.includes('user') ? 'user' : anyKind(endpoint)
    const one = await draft(at, endpoint, kind, user)
    return deliver(at, endpoint, one, [`Bearer ${await at.userToken(user, granted)}`])
  }
  if (!acceptedBy(endpoint).userTokens) {
    const expected = kindNotAllowed(endpoint, 'auth kind not allowed', USER_TOKEN_WORDS)
    rejected(`rejects ${USER_TOKEN_WORDS}`, expected, (at) => send(at, TOKEN_SCOPES))
    return
  }
  test(`takes ${USER_TOKEN_WORDS}`, async () => {
    const reply = await send(world(), scopes)
    assertSucceeded(world(), endpoint, reply)
    assert.equal(reply.headers[world().vocabulary.header('x-access-level')], undefined)
  })
  // The OAuth 1.0a token of the same user, which a recipe for a user makes, decides.
  if (requirementsOf(endpoint.scopes).levelFirst) return
  for (const missing of requirementsOf(endpoint.scopes).scopes) {
    rejected(`rejects a token without ${missing}`, 'scope missing', (at) =>
      send(
        at,
        TOKEN_SCOPES.filter((one) => one !== missing),
      ),
    )
  }
}
