import { Type } from 'typebox'
import { SCOPE_SPELLINGS } from '../../../identity/tokens/scopes.ts'
import { AUTHORIZE_PATH, TOKEN_PATH } from '../../../identity/tokens/user-tokens.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { endpoint } from '../endpoint.ts'
import { userRevoke } from './revoke.ts'

const url = Type.String({ format: 'uri' })
const names = Type.Array(Type.String())

/**
 * GET /.well-known/oauth-authorization-server: lets client libraries configure themselves (RFC
 * 8414).
 */
export const oauthMetadata = endpoint({
  id: 'oauthMetadata',
  host: 'core',
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  summary: 'Get the metadata of OAuth 2.0',
  description: 'Names the endpoints of OAuth 2.0 user tokens and what they support (RFC 8414).',
  source: 'Authentication',
  auth: ['none'],
  limits: { address: '180/15m' },
  reply: Type.Object(
    {
      issuer: url,
      authorization_endpoint: url,
      token_endpoint: url,
      revocation_endpoint: url,
      scopes_supported: names,
      response_types_supported: names,
      response_modes_supported: names,
      grant_types_supported: names,
      token_endpoint_auth_methods_supported: names,
      revocation_endpoint_auth_methods_supported: names,
      code_challenge_methods_supported: names,
      authorization_response_iss_parameter_supported: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
  async handle(_call, { config, coreOrigin, naming }) {
    const { path, name } = naming.vocabulary
    const methods = ['client_secret_basic', 'none']
    return json({
      issuer: coreOrigin,
      authorization_endpoint: coreOrigin + path(AUTHORIZE_PATH),
      token_endpoint: coreOrigin + path(TOKEN_PATH),
      revocation_endpoint: coreOrigin + path(userRevoke.path),
      scopes_supported: SCOPE_SPELLINGS.map(name),
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: methods,
      revocation_endpoint_auth_methods_supported: methods,
      code_challenge_methods_supported: ['S256', 'plain'],
      ...(config.oauth2Iss && { authorization_response_iss_parameter_supported: true }),
    })
  },
})
