import type { OauthDependencies } from './dependencies.ts'
import type { App } from '../identity/app.ts'
import { BEARER_RUN } from '../identity/app.ts'
import { issueBearer, moveCredentialEpoch } from '../identity/queries.ts'
import { apiError } from '../protocols/catalogue.ts'
import { decode } from '../common/percent.ts'
import type { Sealer } from '../storage/seal.ts'

interface Bearer {
  text: string
  hash: string
}

/**
 * Bearers of apps that are in memory anyway: an app asks for the same one over and over. They go when the app's
 * record goes.
 */
const remembered = new WeakMap<App, Bearer>()

/**
 * The bearer of an app's present generation. It is derived, never stored: 21 letters A and 64 bytes of base64
 * with URL escapes.
 */
function bearerFor(app: App, sealer: Sealer): Bearer {
  const known = remembered.get(app)
  if (known !== undefined) return known
  const half = (name: string) => sealer.derive('bearer', app.id, String(app.bearerGeneration), name)
  const bytes = Buffer.concat([half('first'), half('second')])
  const text = BEARER_RUN + encodeURIComponent(bytes.toString('base64'))
  const bearer = { text, hash: sealer.hashToken(text) }
  remembered.set(app, bearer)
  return bearer
}

/** When a concurrent request was faster, the record is read again; this bounds how often. */
const MAX_ATTEMPTS = 5

/** The outstanding bearer of an app; issues one when there is none. Callers that come together get the same one. */
export async function bearerOf(
  app: App,
  { store, sealer, credentials }: Pick<OauthDependencies, 'store' | 'sealer' | 'credentials'>,
): Promise<string> {
  let known: App | undefined = app
  for (let attempt = 0; known && attempt < MAX_ATTEMPTS; attempt++) {
    const { text, hash: bearerHash } = bearerFor(known, sealer)
    if (known.bearerHash === bearerHash) return text
    const at = { id: known.id, generation: known.bearerGeneration, bearerHash }
    const issued = await store.write(async (tx) => {
      const changed = await tx.run(issueBearer, at)
      // Apps are remembered without a bearer until the epoch moves.
      if (changed > 0) await tx.run(moveCredentialEpoch, {})
      return changed
    })
    if (issued > 0) return text
    known = await credentials.appById(app.id)
  }
  throw apiError('credentials unverifiable', 'the app is gone')
}

/**
 * The one spelling of a bearer that is issued, from the ones that clients send: as issued, percent-decoded
 * (a form decoder may have turned a plus into a space) or encoded once more.
 */
export function issuedSpelling(sent: string): string {
  const once = decode(sent) ?? sent
  const plain = decode(once) ?? once
  return encodeURIComponent(plain.toWellFormed().replaceAll(' ', '+'))
}
