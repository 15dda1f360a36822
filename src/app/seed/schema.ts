import { type Static, type TSchema, Type } from 'typebox'
import { WRITER_LEVELS } from '../../domain/notes/writers.ts'
import { APP_KINDS, CLIENT_TYPES, PERMISSIONS } from '../../identity/apps/app.ts'
import { TOKEN_SCOPES } from '../../identity/tokens/scopes.ts'
import { MIN_REFRESH_LENGTH } from '../../identity/tokens/user-tokens.ts'
import { MESSAGE_SENDERS } from '../../identity/users/users.ts'
import { MAX_POPULATION } from '../../platform/config/start.ts'
import { choice, text } from '../../platform/http/schema.ts'
import { ADVERTISING_PARTS, SeedAccount } from './advertising/schema.ts'
import { APP_PARTS, SEED_APP } from './content/apps.ts'
import { CONTENT_PARTS, SEED_CONTENT, SEED_PROFILE } from './content/schema.ts'

const Grant = Type.Object(
  {
    user: text(1, 15, 'Screen name of the user who grants.'),
    access: choice([...PERMISSIONS], 'What the app may do for the user.'),
    token: Type.Optional(text(1, 200, 'Generated if absent.')),
    secret: Type.Optional(text(1, 200, 'Generated if absent.')),
  },
  { additionalProperties: false },
)

const TOKEN_PATTERN = '^[A-Za-z0-9._~+/-]+=*$'

const UserToken = Type.Object(
  {
    user: text(1, 15, 'Screen name of the user who grants.'),
    scopes: Type.Array(Type.Enum([...TOKEN_SCOPES]), {
      minItems: 1,
      uniqueItems: true,
      description: 'What the tokens allow. With `offline.access` there is a refresh token.',
    }),
    access_token: Type.Optional(
      Type.String({
        minLength: 20,
        maxLength: 200,
        pattern: TOKEN_PATTERN,
        description: 'Generated if absent.',
      }),
    ),
    refresh_token: Type.Optional(
      Type.String({
        minLength: MIN_REFRESH_LENGTH,
        maxLength: 200,
        pattern: TOKEN_PATTERN,
        description: `Generated if absent. Its first ${MIN_REFRESH_LENGTH - 1} characters name the grant: no other refresh token begins with them.`,
      }),
    ),
    expires_at: Type.Optional(
      text(
        1,
        100,
        'When the access token ends: RFC 3339, or a distance from the first start such as `+2h`, the default, or `-1h` for one that has ended.',
      ),
    ),
  },
  { additionalProperties: false },
)

const SeedUser = Type.Object(
  {
    screen_name: text(1, 15, 'Letters, digits and underscores.'),
    name: text(1, 50, 'Display name.'),
    note_writer: Type.Optional(
      choice([...WRITER_LEVELS], 'Writes community notes; top writers read the large feeds too.'),
    ),
    direct_messages_from: Type.Optional(
      choice([...MESSAGE_SENDERS], 'Who may send the user direct messages; everyone by default.'),
    ),
    ...SEED_PROFILE,
  },
  { additionalProperties: false },
)

const SeedApp = Type.Object(
  {
    name: text(1, 50, 'Shown on the consent page.'),
    website: text(1, 200, 'Shown on the consent page.'),
    owner: text(1, 15, 'Screen name of the developer.'),
    callbacks: Type.Array(text(1, 2048, 'A callback URL.'), { maxItems: 10 }),
    permission: choice([...PERMISSIONS], 'What the app may ask for.'),
    kind: choice([...APP_KINDS], 'Desktop apps use a PIN.'),
    sign_in: Type.Boolean({
      description: 'Whether a user who granted the app before is not asked again.',
    }),
    enrolled: Type.Optional(
      Type.Boolean({
        description: 'Whether the app may use the endpoints under `/2/`; true by default.',
      }),
    ),
    enterprise: Type.Optional(
      Type.Boolean({
        description: 'Whether the app may open the streams of enterprise plans; false by default.',
      }),
    ),
    consumer_key: Type.Optional(text(1, 100, 'Generated if absent.')),
    consumer_secret: Type.Optional(text(1, 200, 'Generated if absent.')),
    client_type: Type.Optional(
      choice(
        [...CLIENT_TYPES],
        'OAuth 2.0: a confidential client has a secret. `native` for a desktop app, otherwise `confidential`, by default.',
      ),
    ),
    client_id: Type.Optional(text(1, 100, 'OAuth 2.0. Generated when absent.')),
    client_secret: Type.Optional(text(1, 200, 'OAuth 2.0, of a confidential client. Generated when absent.')),
    grants: Type.Optional(
      Type.Array(Grant, { maxItems: 1000, description: 'OAuth 1.0a tokens: one for each user.' }),
    ),
    user_tokens: Type.Optional(
      Type.Array(UserToken, { maxItems: 1000, description: 'OAuth 2.0 tokens of users.' }),
    ),
    ...SEED_APP,
  },
  { additionalProperties: false },
)

/** The content of a seed file. */
export const Seed = Type.Object(
  {
    $schema: Type.Optional(text(1, 2048, 'URL or path of the JSON schema of seed files, for editors.')),
    users: Type.Array(SeedUser, { maxItems: 1000 }),
    apps: Type.Optional(Type.Array(SeedApp, { maxItems: 1000 })),
    accounts: Type.Optional(Type.Array(SeedAccount, { maxItems: 1000 })),
    ...SEED_CONTENT,
    population: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_POPULATION,
        description:
          'Synthetic users, with profiles and posts, for audience estimates. --seed-population overrides it.',
      }),
    ),
  },
  { additionalProperties: false },
)

export type Seed = Static<typeof Seed>
export type SeedUserToken = Static<typeof UserToken>

/** The parts of a seed with names, for the types of the package. */
export const SEED_PARTS: Readonly<Record<string, TSchema>> = {
  Seed,
  SeedUser,
  SeedApp,
  SeedGrant: Grant,
  SeedUserToken: UserToken,
  ...APP_PARTS,
  ...CONTENT_PARTS,
  ...ADVERTISING_PARTS,
}
