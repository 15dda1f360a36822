import { type Static, type TObject, Type } from 'typebox'
import type { App } from '../../../identity/apps/app.ts'
import { TOKEN_PATH } from '../../../identity/tokens/user-tokens.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { choice, standard, text } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { NOT_CACHED } from '../../../platform/protocols/oauth2/errors.ts'
import { endpoint, type OauthDependencies } from '../endpoint.ts'
import { clientOf, required } from './client.ts'
import { exchangeCode, type IssuedTokens } from './codes.ts'
import { refresh } from './refresh.ts'

const form = {
  grant_type: text(1, 100, '`authorization_code` or `refresh_token`.'),
  client_id: Type.Optional(text(1, 200, 'Of a public client; a confidential one sends Basic credentials.')),
  code: Type.Optional(text(1, 500, 'With `authorization_code`: the code.')),
  redirect_uri: Type.Optional(
    text(1, 2048, 'With `authorization_code`: the same redirect URL as in the authorization request.'),
  ),
  code_verifier: Type.Optional(
    text(1, 500, 'With `authorization_code`: the verifier from which the challenge was derived.'),
  ),
  refresh_token: Type.Optional(text(1, 500, 'With `refresh_token`: the token.')),
}
type TokenForm = Static<TObject<typeof form>>

/**
 * POST /2/oauth2/token: exchanges codes and refresh tokens for tokens (core reference, 01 section
 * 5.2).
 */
export const userToken = endpoint({
  id: 'userToken',
  host: 'core',
  method: 'POST',
  path: TOKEN_PATH,
  summary: 'Get tokens of a user',
  description:
    'Exchanges a code or a refresh token for an access token, which is valid for two hours. With the scope `offline.access` it also returns a refresh token, which can be used once. A confidential client authenticates with its client id and secret (Basic), a public client sends `client_id`. Using a refresh token again revokes all tokens of its grant.',
  source: 'Authentication',
  auth: ['none'],
  limits: { address: '1500/15m' },
  form,
  reply: Type.Object(
    {
      token_type: standard(choice(['bearer'], 'Type of the token.')),
      expires_in: Type.Integer({ description: 'Seconds until the access token expires.' }),
      access_token: Type.String(),
      scope: Type.String({ description: 'The scopes, separated by spaces.' }),
      refresh_token: Type.Optional(Type.String()),
    },
    { additionalProperties: false },
  ),
  errors: [
    'client unknown',
    'client credentials missing',
    'client ambiguous',
    'app suspended',
    'grant type unknown',
    'code invalid',
    'redirect mismatch',
    'verifier mismatch',
    'user token invalid',
  ],
  example: {
    reply: {
      token_type: 'bearer',
      expires_in: 7200,
      access_token: 'Nx4mH0yK7cGn1Vt9sRb3xWd5uJe2aLf8iXo6TqZPQz4m',
      scope: 'post.read users.read offline.access',
      refresh_token: 'c9sRb3xWd5uJe2aLf8iXo6TqZPQz4mH0yK7cGn1Vt9sRb3xWd5uJe2aLf8iXo6TqZP',
    },
  },
  async handle({ form, headers }, context) {
    const tokens = await tokensFor(form, await clientOf({ headers, form }, context), context)
    return json(replyOf(tokens, context), undefined, NOT_CACHED)
  },
})

function tokensFor(form: TokenForm, app: App, context: OauthDependencies): Promise<IssuedTokens> {
  switch (form.grant_type) {
    case 'authorization_code':
      return exchangeCode(
        {
          app,
          code: required('code', form.code),
          redirectUri: required('redirect_uri', form.redirect_uri),
          verifier: required('code_verifier', form.code_verifier),
        },
        context,
      )
    case 'refresh_token':
      return refresh(app, required('refresh_token', form.refresh_token), context)
    default:
      throw apiError('grant type unknown')
  }
}

const replyOf = (
  { accessToken, refreshToken, scopes }: IssuedTokens,
  { config, naming }: Pick<OauthDependencies, 'config' | 'naming'>,
) => ({
  token_type: 'bearer' as const,
  expires_in: config.oauth2AccessSeconds,
  access_token: accessToken,
  scope: scopes.split(' ').map(naming.vocabulary.name).join(' '),
  ...(refreshToken !== undefined && { refresh_token: refreshToken }),
})
