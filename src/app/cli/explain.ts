import type { RequestSignature } from '../../identity/auth/signature/sign.ts'

const MASK = '********'

/** The steps of a signature. Secrets are masked unless requested. */
export function explain(signed: RequestSignature, method: string, showSecrets: boolean): string {
  const { steps, header } = signed
  const widest = Math.max(...steps.parameters.map(([name]) => name.length))
  return [
    '1. The parameters that are signed: of the Authorization header, the query and a form body, decoded',
    ...steps.parameters.map(([name, value]) => `     ${name.padEnd(widest)}  ${value}`),
    '2. Normalized: percent-encoded, sorted by name and then by value, joined with "=" and "&"',
    `     ${steps.normalized}`,
    '3. The base URI: scheme and host in lower case, no default port, no query',
    `     ${steps.baseUri}`,
    '4. The base string: method, base URI and normalized parameters, each encoded (again), joined with "&"',
    `     ${steps.baseString}`,
    '5. The signing key: consumer secret and token secret, encoded, joined with "&"',
    `     ${showSecrets ? steps.signingKey : masked(steps.signingKey)}`,
    `6. The signature: HMAC-SHA1 of the base string under the signing key, in base64`,
    `     ${steps.signature}`,
    '7. The header, percent-encoded',
    `     Authorization: ${header}`,
    `   sent with ${method.toUpperCase()}`,
  ].join('\n')
}

/** The same as data. */
export function explained({ steps, header }: RequestSignature, showSecrets: boolean) {
  return {
    parameters: steps.parameters,
    normalized: steps.normalized,
    base_uri: steps.baseUri,
    base_string: steps.baseString,
    signing_key: showSecrets ? steps.signingKey : masked(steps.signingKey),
    signature: steps.signature,
    authorization: header,
  }
}

/** Shows whether the token secret is missing, which is a common mistake. */
const masked = (key: string) => key.replace(/[^&]+/g, MASK)
