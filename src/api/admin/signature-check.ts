import { Type } from 'typebox'
import { signedAddress } from '../../identity/auth/authenticate.ts'
import { invalidFor } from '../../platform/http/errors.ts'
import { msg } from '../../platform/http/message.ts'
import { json } from '../../platform/http/reply-kinds.ts'
import { closedObject, text } from '../../platform/http/schema.ts'
import { checkSignature, type SignatureServices } from '../../workbench/signature/check.ts'
import { ADMIN, type AdminDependencies, endpoint } from './endpoint.ts'
import { SignatureObject, signatureObject } from './journal/parts.ts'

const MAX_TEXT = 16_384

/** POST /admin/v1/signature-check: checks a signature without sending the request. */
export const checkSignatureOfRequest = endpoint({
  ...ADMIN,
  id: 'checkSignature',
  method: 'POST',
  path: '/admin/v1/signature-check',
  summary: 'Check a signature',
  description:
    'Checks a signature of OAuth 1.0a as the API does, except its timestamp and nonce, and shows what the client must sign. If the signature is wrong, common mistakes are tried, alone and in pairs. With the base string of the client, it shows the first difference.',
  body: closedObject({
    method: Type.String({ pattern: '^[A-Za-z]{1,10}$', description: 'The HTTP method.' }),
    url: text(1, MAX_TEXT, 'The absolute URL of the request, with its query.'),
    authorization: Type.Optional(text(1, MAX_TEXT, 'The Authorization header: `OAuth …`.')),
    form: Type.Optional(
      text(0, MAX_TEXT, 'The body, if it is a form (`application/x-www-form-urlencoded`).'),
    ),
    base_string: Type.Optional(text(1, MAX_TEXT * 3, 'The base string that the client signed.')),
  }),
  reply: closedObject({
    data: closedObject({
      problem: Type.Optional(
        Type.String({
          description: 'Why there is no expected base string: the keys are unknown, for example.',
        }),
      ),
      signature: Type.Optional(SignatureObject),
    }),
  }),
  reasons: ['UrlInvalid'],
  example: {
    body: {
      method: 'GET',
      url: 'https://127.0.0.1:8443/2/users/me',
      authorization: 'OAuth oauth_consumer_key="key", oauth_signature="c2lnbmF0dXJl"',
    },
    reply: {
      data: {
        signature: {
          matches: false,
          expected_base_string:
            'GET&https%3A%2F%2F127.0.0.1%3A8443%2F2%2Fusers%2Fme&oauth_consumer_key%3Dkey',
          mistakes: ['The client signed without the token secret.'],
        },
      },
    },
  },
  async handle({ body: { method, url, authorization, form, base_string } }, { signatures }) {
    const parsed = URL.canParse(url) ? new URL(url) : undefined
    if (!parsed || !/^https?:$/.test(parsed.protocol))
      throw invalidFor('UrlInvalid', msg`\`url\` must be an absolute http or https URL`, {
        ...{ place: 'body', name: 'url', value: url },
      })
    const services = servicesFor(parsed, signatures)
    if (!services) return json({ data: { problem: `No listener answers for ${parsed.origin}.` } })
    const checked = await checkSignature(
      {
        method: method.toUpperCase(),
        scheme: parsed.protocol === 'https:' ? 'https' : 'http',
        host: parsed.host,
        target: parsed.pathname + parsed.search,
        authorization,
        form,
        baseString: base_string,
      },
      services,
    )
    return json({
      data: checked.analysis
        ? { signature: signatureObject(checked.analysis) }
        : { problem: checked.problem },
    })
  },
})

/** The listener that a request would reach, by its host. */
function servicesFor(
  { protocol, host }: URL,
  signatures: AdminDependencies['signatures'],
): SignatureServices | undefined {
  const scheme = protocol.slice(0, -1)
  return [...signatures.values()].find((services) => signedAddress(scheme, host, services) !== undefined)
}
