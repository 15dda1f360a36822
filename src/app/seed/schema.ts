import { type Static, Type } from 'typebox'
import { WRITER_LEVELS } from '../../domain/notes/writers.ts'
import { APP_KINDS, CLIENT_TYPES, PERMISSIONS } from '../../identity/apps/app.ts'
import { MESSAGE_SENDERS } from '../../identity/users/users.ts'
import { MAX_POPULATION } from '../../platform/config/start.ts'
import { choice, text } from '../../platform/http/schema.ts'
import { SeedAccount } from './advertising/schema.ts'
import { SEED_APP } from './content/apps.ts'
import { SEED_CONTENT, SEED_PROFILE } from './content/schema.ts'

const Grant = Type.Object(
  {
    user: text(1, 15, 'Screen name of the user who grants.'),
    access: choice([...PERMISSIONS], 'What the app may do for the user.'),
    token: Type.Optional(text(1, 200, 'Generated if absent.')),
    secret: Type.Optional(text(1, 200, 'Generated if absent.')),
  },
  { additionalProperties: false },
)

/** The content of a seed file. */
export const Seed = Type.Object(
  {
    $schema: Type.Optional(text(1, 2048, 'URL or path of the JSON schema of seed files, for editors.')),
    users: Type.Array(
      Type.Object(
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
      ),
      { maxItems: 1000 },
    ),
    apps: Type.Optional(
      Type.Array(
        Type.Object(
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
            client_secret: Type.Optional(
              text(1, 200, 'OAuth 2.0, of a confidential client. Generated when absent.'),
            ),
            grants: Type.Optional(Type.Array(Grant, { maxItems: 1000 })),
            ...SEED_APP,
          },
          { additionalProperties: false },
        ),
        { maxItems: 1000 },
      ),
    ),
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
