import { Type } from 'typebox'
import { addPublicKey, publicKeysOf } from '../../../../domain/chat/queries.ts'
import type { ChatPublicKeyRow } from '../../../../domain/chat/tables.ts'
import { publicKey } from '../../../../domain/chat/objects.ts'
import { lockAuthor } from '../../../../identity/users/queries.ts'
import { compareIds } from '../../../../platform/common/ids.ts'
import { msg } from '../../../../platform/http/message.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { component, id } from '../../../../platform/http/schema.ts'
import { apiError } from '../../../../platform/protocols/catalogue.ts'
import type { Transaction } from '../../../../platform/storage/store.ts'
import { requireNumber, version } from '../../chat/body.ts'
import { endpoint, writing } from '../../chat/endpoint.ts'
import { wrong } from '../../posts/wrong.ts'
import { EXAMPLE_KEY } from './example.ts'

const MAX_KEY_LENGTH = 1_000
/** Versions of the keys of one user. */
const MAX_VERSIONS = 100

const key = (description: string) =>
  Type.Optional(Type.String({ maxLength: MAX_KEY_LENGTH, pattern: '^[A-Za-z0-9+/=_-]*$', description }))
const plainText = (description: string) =>
  Type.Optional(Type.String({ maxLength: MAX_KEY_LENGTH, description }))

const KeyBody = component(
  'PublicKeyBody',
  Type.Object({
    public_key: key('The identity key, Base64 of its DER form.'),
    signing_public_key: key('The key for signatures.'),
    identity_public_key_signature: key('Signature of the identity key.'),
    signing_public_key_signature: key('Signature of the signing key.'),
    public_key_fingerprint: plainText('Fingerprint of the identity key.'),
    registration_method: plainText('How the keys are kept.'),
  }),
)

const MEMBERS = [
  ...(['public_key', 'signing_public_key', 'identity_public_key_signature'] as const),
  ...(['signing_public_key_signature', 'public_key_fingerprint', 'registration_method'] as const),
] as const

/** POST /2/users/{id}/public_keys: a version of the caller's public keys. */
export const addUserPublicKey = endpoint({
  ...writing,
  id: 'addUserPublicKey',
  path: '/2/users/{id}/public_keys',
  summary: 'Add a version of your public keys',
  description:
    'Stores public keys for encrypted chats, byte for byte. A version that exists already is returned if its keys are the same; otherwise the call is rejected. A user may have 100 versions.',
  params: { id: id('The user who calls.') },
  body: Type.Object({
    version: version('Version, usually the time in milliseconds.'),
    generate_version: Type.Optional(
      Type.Boolean({ description: 'The server chooses the version: the time in milliseconds.' }),
    ),
    public_key: KeyBody,
  }),
  reply: Type.Object({ data: publicKey.schema }, { additionalProperties: false }),
  errors: ['public keys of another user', 'public key exists', 'too many public keys'],
  example: {
    params: { id: '2244994945' },
    body: { version: EXAMPLE_KEY.public_key_version, public_key: { public_key: EXAMPLE_KEY.public_key } },
    reply: { data: EXAMPLE_KEY },
  },
  async handle({ principal: { userId }, params, body }, { store, clock }) {
    if (params.id !== userId) throw apiError('public keys of another user')
    const { public_key: keys } = body
    if (!keys.public_key) throw wrong('public_key.public_key', '', msg`The public key is missing.`)
    const members = Object.fromEntries(MEMBERS.map((name) => [name, keys[name] ?? null])) as KeyMembers
    const row = await store.write((tx) =>
      add(tx, { ...members, user_id: userId, created_at: clock.now() }, body),
    )
    return json({ data: shown(row) })
  },
})

type KeyMembers = Record<(typeof MEMBERS)[number], string | null>

async function add(
  tx: Transaction,
  keys: Omit<ChatPublicKeyRow, 'version'>,
  { version: named, generate_version = false }: { version: string; generate_version?: boolean },
): Promise<ChatPublicKeyRow> {
  await tx.first(lockAuthor, { id: keys.user_id })
  const present = await tx.all(publicKeysOf, { user: keys.user_id })
  const newest = present[0]?.version
  const now = String(keys.created_at)
  const next = newest !== undefined && compareIds(newest, now) >= 0 ? String(BigInt(newest) + 1n) : now
  const row = { ...keys, version: generate_version ? next : requireNumber('version', named) }
  const known = present.find((one) => one.version === row.version)
  if (known) {
    if (MEMBERS.every((name) => known[name] === row[name])) return known
    throw apiError('public key exists', row.version)
  }
  if (present.length >= MAX_VERSIONS) throw apiError('too many public keys')
  await tx.run(addPublicKey, row)
  return row
}

const shown = (row: ChatPublicKeyRow) => ({
  public_key_version: row.version,
  ...Object.fromEntries(
    (['public_key', 'signing_public_key', 'identity_public_key_signature'] as const).flatMap((name) =>
      row[name] === null ? [] : [[name, row[name]]],
    ),
  ),
})
