import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authWords, usedWords } from '../../src/auth/kinds.ts'
import type { AuthKind } from '../../src/auth/principal.ts'
import type { PlazaEndpoint as Endpoint } from '../../src/auth/endpoint.ts'
import type { Cause } from '../../src/protocols/catalogue.ts'
import { Refusal } from '../../src/http/errors.ts'
import { anyKind, assertRefused, assertSucceeded, authorization, call, deliver, draft } from './calls.ts'
import type { World } from './world.ts'

const SIGNED: readonly AuthKind[] = ['user', 'client', 'pending']

/** Every way of signing in, taken or refused with exactly the right body. */
export function authenticationTests(endpoint: Endpoint, world: () => World): void {
  const { auth, protocol } = endpoint
  for (const kind of auth) {
    test(`takes ${authWords[kind]}`, async () => {
      const reply = await call(world(), endpoint, await draft(world(), endpoint, kind), { kind })
      assertSucceeded(world(), endpoint, reply)
      const level = reply.headers[world().vocabulary.header('x-access-level')]
      assert.equal(level, kind === 'user' ? 'read-write-directmessages' : undefined)
    })
  }
  // Whoever asks for nothing does not look at what is shown.
  if (auth.every((kind) => kind === 'none')) return

  const refused = (
    name: string,
    expected: Refusal | Cause,
    send: (world: World) => ReturnType<typeof call>,
  ) => test(name, async () => assertRefused(world(), protocol, await send(world()), expected))
  const good = (at: World) => draft(at, endpoint, anyKind(endpoint))
  const withHeader = (header: string) => async (at: World) => deliver(at, endpoint, await good(at), [header])

  if (!auth.includes('none')) {
    refused('refuses a call without credentials', withoutCredentials(auth), async (at) =>
      deliver(at, endpoint, await good(at), []),
    )
  }
  refused('refuses an unknown scheme', kindRefused(endpoint, 'scheme unknown'), withHeader('Digest abc'))
  for (const header of [
    'OAuth oauth_consumer_key=bare',
    'OAuth',
    'OAuth oauth_nonce="%zz"',
    'Bearer',
    'Bearer a b',
    ' ',
  ]) {
    refused(`refuses the malformed header "${header}"`, 'bad authentication data', withHeader(header))
  }
  refused('refuses two schemes at once', 'bad authentication data', async (at) => {
    const one = await good(at)
    return deliver(at, endpoint, { ...one, query: [...one.query, ['oauth_signature', 'x']] }, ['Bearer abc'])
  })
  refused('refuses two authorization headers', 'bad authentication data', async (at) =>
    deliver(at, endpoint, await good(at), ['Bearer abc', 'Bearer def']),
  )
  refused('refuses an unknown bearer', 'invalid token', withHeader('Bearer AAAAAAAAAAAAAAAAAAAAAAunknown'))
  otherKinds(endpoint, refused)
  if (auth.some((kind) => SIGNED.includes(kind))) signatureTests(endpoint, world, refused)
  if (auth.includes('user')) userTests(endpoint, world, refused)
}

type Refused = (
  name: string,
  expected: Refusal | Cause,
  send: (world: World) => ReturnType<typeof call>,
) => unknown

const withoutCredentials = (auth: readonly AuthKind[]): Cause =>
  auth.length === 1 && auth[0] === 'basic' ? 'credentials unverifiable' : 'bad authentication data'

const kindRefused = (
  { auth }: Endpoint,
  cause: 'scheme unknown' | 'auth kind not allowed',
  kind?: AuthKind,
) =>
  new Refusal(cause, {
    auth: { used: kind ? usedWords[kind] : 'Unknown', supported: auth.map((one) => authWords[one]) },
  })

/** The kinds that an endpoint does not take, each shown rightly. */
function otherKinds(endpoint: Endpoint, refused: Refused): void {
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
          : kindRefused(endpoint, 'auth kind not allowed', kind)
    refused(`refuses ${authWords[kind]}`, expected, async (at) => {
      const one = await good(at, kind)
      const pen = kind === 'user' ? await at.grant(await at.newUser()) : undefined
      return call(at, endpoint, { ...one, pen }, { kind })
    })
  }
  if (auth.includes('basic')) {
    refused('refuses a wrong secret', 'credentials unverifiable', async (at) =>
      call(at, endpoint, await good(at, 'basic'), { kind: 'basic', wrongSecret: true }),
    )
  }
}

function signatureTests(endpoint: Endpoint, world: () => World, refused: Refused): void {
  const kind = endpoint.auth.find((one) => SIGNED.includes(one)) as AuthKind
  const good = (at: World) => draft(at, endpoint, kind)
  refused('refuses a wrong signature', 'could not authenticate', async (at) =>
    call(at, endpoint, await good(at), { kind, wrongSecret: true }),
  )
  refused('refuses a request that was changed after it was signed', 'could not authenticate', async (at) => {
    const one = await good(at)
    const header = (await authorization(at, endpoint, one, { kind })) ?? ''
    return deliver(at, endpoint, { ...one, query: [...one.query, ['more', '1']] }, [header])
  })
  for (const seconds of [-301, 301]) {
    refused(`refuses a timestamp ${seconds} seconds away`, 'timestamp out of bounds', async (at) => {
      const atSeconds = Math.floor(at.plaza.clock.now() / 1000) + seconds
      return call(at, endpoint, await good(at), { kind, atSeconds })
    })
  }
  test('refuses a replayed nonce', async () => {
    const one = await good(world())
    const header = (await authorization(world(), endpoint, one, { kind })) ?? ''
    assertSucceeded(world(), endpoint, await deliver(world(), endpoint, one, [header]))
    const again = await deliver(world(), endpoint, one, [header])
    // A call may have ended the token that signed it.
    const expected = endpoint.id === 'invalidateToken' ? 'invalid token' : 'could not authenticate'
    assertRefused(world(), endpoint.protocol, again, expected)
  })
}

function userTests(endpoint: Endpoint, world: () => World, refused: Refused): void {
  const signedBy = async (at: World, suspended: boolean, access: 'read' | 'read-write') => {
    const user = await at.newUser(suspended)
    const one = await draft(at, endpoint, 'user', user)
    return call(at, endpoint, { ...one, pen: await at.grant(user, access) }, { kind: 'user' })
  }
  refused('refuses a suspended user', 'user suspended', (at) => signedBy(at, true, 'read-write'))
  if (endpoint.scopes.includes('write'))
    refused('refuses a token that may only read', 'write not permitted', (at) => signedBy(at, false, 'read'))
  if (endpoint.scopes.includes('direct-messages'))
    refused('refuses a token without direct messages', 'direct messages not permitted', (at) =>
      signedBy(at, false, 'read-write'),
    )
  test('refuses a token that was revoked', async () => {
    const user = await world().newUser()
    const one = await draft(world(), endpoint, 'user', user)
    const revoked = await world().grant(user)
    await world().grant(user)
    const reply = await call(world(), endpoint, { ...one, pen: revoked }, { kind: 'user' })
    assertRefused(world(), endpoint.protocol, reply, 'invalid token')
  })
}
