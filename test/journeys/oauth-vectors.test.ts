import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { addRequestToken } from '../../src/api/oauth/queries.ts'
import { createPendingTokens } from '../../src/api/oauth/requests.ts'
import { signature } from '../../src/delivery/webhooks/signature.ts'
import { createApp } from '../../src/identity/apps/apps.ts'
import { removeAccessToken } from '../../src/identity/apps/queries.ts'
import { authenticate } from '../../src/identity/auth/authenticate.ts'
import { basicHeader, readBasic } from '../../src/identity/auth/basic.ts'
import { type AcceptedKinds, acceptedBy } from '../../src/identity/auth/kinds.ts'
import { createAccessToken } from '../../src/identity/tokens/access-tokens.ts'
import { ManualClock } from '../../src/platform/common/clock.ts'
import { ApiError } from '../../src/platform/http/errors.ts'
import { formOf, type Incoming, isForm, queryPairs } from '../../src/platform/http/input/incoming.ts'
import { neutralVocabulary } from '../../src/platform/http/vocabulary.ts'
import { wordsOf } from '../../src/platform/protocols/catalogue.ts'
import { type Opened, stages } from '../support/stages.ts'

interface Vector {
  name: string
  clock: number
  request: {
    method: string
    scheme: string
    host: string
    target: string
    headers: Record<string, string>
    body: string | null
  }
  secrets: { consumer_secret: string; token_secret: string }
  expect: { accept: true } | { accept: false; status: number; code: number; cause: string; setup?: string }
}

interface Vectors {
  credentials: Record<'consumer_key' | 'access_token' | 'request_token' | 'request_token_secret', string>
  vectors: Vector[]
  crc: {
    consumer_secret: string
    crc_token: string
    response_token: string
    nonce: string
    challenge_signature_header: string
  }[]
  delivery: { consumer_secret: string; body: string; signature_header: string }[]
  basic: { consumer_key: string; consumer_secret: string; authorization: string }[]
}

const file = JSON.parse(
  readFileSync(new URL('../data/oauth1-vectors.json', import.meta.url), 'utf8'),
) as Vectors
const { credentials } = file

const REVOKED = '4400112233445566-RevokedTok'

/** Which callers the endpoint of a vector takes. */
function acceptedAt(target: string): AcceptedKinds {
  const auth = target.startsWith('/oauth/request_token')
    ? ['client']
    : target.startsWith('/oauth/access_token')
      ? ['pending']
      : ['app', 'user']
  return acceptedBy({ auth, scopes: ['read'], moreScopes: [] })
}

async function incomingOf({ request }: Vector): Promise<Incoming> {
  const { method, scheme, host, target, headers, body } = request
  const bytes = body === null ? undefined : Buffer.from(body)
  return {
    method,
    scheme: scheme as Incoming['scheme'],
    host,
    target,
    headers,
    query: queryPairs(target),
    form: bytes && isForm(headers) ? (await formOf(bytes)).pairs : [],
    fields: [],
    files: [],
    long: [],
    body: bytes,
    json: undefined,
    address: '127.0.0.1',
  }
}

/** The app, user and tokens that the vectors were signed with. */
async function seedCredentials(
  { plaza }: Opened,
  consumerSecret: string,
  tokenSecret: string,
): Promise<void> {
  const { store, sealer } = plaza.context
  const userId = plaza.seeded?.users[0]?.id as string
  await store.write(async (tx) => {
    const details = {
      name: 'Vectors',
      website: 'https://v.test/',
      ownerUserId: userId,
      callbacks: [],
      permission: 'read-write',
      kind: 'web',
      signIn: false,
    } as const
    const app = await createApp(
      tx,
      { ...details, consumerKey: credentials.consumer_key, consumerSecret },
      plaza.context,
    )
    const grant = { appId: app.id, userId, access: 'read-write' as const }
    await createAccessToken(
      tx,
      { ...grant, access: 'read', token: REVOKED, secret: 'tsRevoked' },
      plaza.context,
    )
    await tx.run(removeAccessToken, { tokenHash: sealer.hashToken(REVOKED) })
    await createAccessToken(
      tx,
      { ...grant, token: credentials.access_token, secret: tokenSecret },
      plaza.context,
    )
    const tokenHash = sealer.hashToken(credentials.request_token)
    await tx.run(addRequestToken, {
      token_hash: tokenHash,
      secret_sealed: sealer.seal(credentials.request_token_secret, `request token secret ${tokenHash}`),
      app_id: app.id,
      callback: 'oob',
      access: 'read',
      state: 'approved',
      user_id: userId,
      verifier_hash: null,
      verifier_misses: 0,
      created_at: plaza.clock.now(),
      expires_at: plaza.clock.now() + 900_000,
    })
  })
}

const [odd, usual] = [
  file.vectors.filter(({ name }) => name === 'secrets-need-encoding'),
  file.vectors.filter(({ name }) => name !== 'secrets-need-encoding'),
]
const firstSecrets = (list: Vector[]) => list[0]?.secrets as Vector['secrets']

for (const stage of stages) {
  for (const list of [usual, odd]) {
    describe(`signed requests on ${stage.name}`, { skip: stage.skip }, () => {
      let opened: Opened
      before(async () => {
        const clock = new ManualClock(1_767_225_600_000)
        opened = await stage.open({}, { clock })
        const { consumer_secret, token_secret } = firstSecrets(list)
        await seedCredentials(opened, consumer_secret, token_secret)
      })
      after(() => opened.close())

      /** The legacy status and code of the error; undefined when the request is accepted. */
      async function outcomeOf(vector: Vector): Promise<[number, number] | undefined> {
        const { context } = opened.plaza
        const { credentials, cluster, clock, config, store, sealer } = context
        opened.plaza.clock.moveTo(vector.clock * 1000)
        const pendingTokens = createPendingTokens(store, sealer, clock)
        const { timestampWindowSeconds } = config
        const services = {
          credentials,
          pendingTokens,
          cluster,
          ...{ clock, machineClock: clock },
          timestampWindowSeconds,
          lenientExchange: false,
          publicOrigin: undefined,
          aliases: new Map(),
          isOwnHost: () => true,
          onClockSetBack: () => undefined,
        }
        try {
          await authenticate(await incomingOf(vector), acceptedAt(vector.request.target), services)
          return undefined
        } catch (error) {
          assert.ok(error instanceof ApiError, String(error))
          const { status, code } = wordsOf(error, neutralVocabulary).legacy
          return [status, code]
        }
      }

      for (const vector of list) {
        const { expect, name } = vector
        test(
          expect.accept ? `accepts ${name}` : `rejects ${name} with ${expect.status}, code ${expect.code}`,
          async () => {
            assert.deepEqual(
              await outcomeOf(vector),
              expect.accept ? undefined : [expect.status, expect.code],
            )
          },
        )
      }
    })
  }
}

describe('the other vectors', () => {
  for (const { crc_token, consumer_secret, nonce, response_token, challenge_signature_header } of file.crc) {
    test(`the answer to the challenge ${crc_token} and the signature of the challenge`, () => {
      assert.equal(signature(consumer_secret, crc_token), response_token)
      assert.equal(
        signature(consumer_secret, `crc_token=${crc_token}&nonce=${nonce}`),
        challenge_signature_header,
      )
    })
  }
  test('the signature of a delivery covers the bytes of its body', () => {
    for (const { consumer_secret, body, signature_header } of file.delivery) {
      assert.equal(signature(consumer_secret, Buffer.from(body)), signature_header)
    }
  })
  for (const { consumer_key, consumer_secret, authorization } of file.basic) {
    test(`Basic credentials of "${consumer_key}" are read and written`, () => {
      assert.deepEqual(readBasic(authorization.slice('Basic '.length)), {
        key: consumer_key,
        secret: consumer_secret,
      })
      assert.equal(basicHeader(consumer_key, consumer_secret), authorization)
    })
  }
})
