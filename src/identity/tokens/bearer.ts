import { decode } from '../../platform/common/percent.ts'
import { apiError } from '../../platform/protocols/catalogue.ts'
import type { Sealer } from '../../platform/storage/seal.ts'
import type { Store } from '../../platform/storage/store.ts'
import { type App, BEARER_RUN } from '../apps/app.ts'
import { issueBearer, moveCredentialEpoch } from '../apps/queries.ts'
import type { Credentials } from './credentials.ts'

interface Bearer {
  text: string
  hash: string
}

/**
 * Bearer tokens of cached apps, because an app requests the same one repeatedly. They are evicted
 * with the app's record.
 */
const remembered = new WeakMap<App, Bearer>()

/**
 * The bearer token of an app's current generation. It is derived, never stored: 21 letters A and 64
 * bytes of base64 with URL escapes.
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

/** When a concurrent request was faster, the record is read again: at most this many times. */
const MAX_ATTEMPTS = 5

/** The current bearer token of an app, issued if necessary. Concurrent callers get the same one. */
export async function bearerOf(
  app: App,
  { store, sealer, credentials }: { store: Store; sealer: Sealer; credentials: Pick<Credentials, 'appById'> },
): Promise<string> {
  let known: App | undefined = app
  for (let attempt = 0; known && attempt < MAX_ATTEMPTS; attempt++) {
    const { text, hash: bearerHash } = bearerFor(known, sealer)
    if (known.bearerHash === bearerHash) return text
    const at = { id: known.id, generation: known.bearerGeneration, bearerHash }
    const issued = await store.write(async (tx) => {
      const changed = await tx.run(issueBearer, at)
      // Until the epoch changes, the cached app has no bearer token.
      if (changed > 0) await tx.run(moveCredentialEpoch, {})
      return changed
    })
    if (issued > 0) return text
    known = await credentials.appById(app.id)
  }
  throw apiError('credentials unverifiable', 'the app is gone')
}

/**
 * The canonical spelling of a bearer token, for any spelling that clients send: as issued,
 * percent-decoded (a form decoder may have turned a plus into a space), or encoded again.
 */
export function issuedSpelling(spelling: string): string {
  const once = decode(spelling) ?? spelling
  const plain = decode(once) ?? once
  return encodeURIComponent(plain.toWellFormed().replaceAll(' ', '+'))
}
