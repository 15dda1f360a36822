import { CannotUnseal } from '../../../platform/storage/seal.ts'
import type { AdsDependencies } from '../dependencies.ts'
import type { POST_TYPES } from '../posts/post.ts'

/** How long the URL of a preview is valid. */
const PREVIEW_MS = 3_600_000

/** The path of previews on the core host. */
export const PREVIEW_PATH = '/post-preview/{preview_id}'

/** The contents of a preview, for anyone with its URL. */
export interface Preview {
  accountId: string
  type: (typeof POST_TYPES)[number]
  postId: string
  /** Epoch milliseconds. */
  expiresAt: number
}

const PURPOSE = 'post preview'
const SEALED = 'v1.'

type AddressDependencies = Pick<AdsDependencies, 'sealer' | 'clock' | 'coreOrigin' | 'naming'>

/**
 * The URL of a preview: encrypted and authenticated, so that it cannot be forged, and valid for an
 * hour.
 */
export function previewAddress(
  { accountId, type, postId }: Omit<Preview, 'expiresAt'>,
  { sealer, clock, coreOrigin, naming }: AddressDependencies,
): string {
  const claims = [accountId, type, postId, clock.now() + PREVIEW_MS]
  const token = sealer.seal(JSON.stringify(claims), PURPOSE).slice(SEALED.length)
  const path = naming.vocabulary.path(PREVIEW_PATH)
  return `${coreOrigin}${path.slice(0, path.lastIndexOf('/'))}/${token}`
}

/**
 * The contents of a preview URL; undefined if this service did not create it. It may have expired.
 */
export function previewOfToken(
  token: string,
  { sealer }: Pick<AdsDependencies, 'sealer'>,
): Preview | undefined {
  try {
    const claims = JSON.parse(sealer.unseal(SEALED + token, PURPOSE))
    const [accountId, type, postId, expiresAt] = claims as [string, Preview['type'], string, number]
    return { accountId, type, postId, expiresAt }
  } catch (error) {
    if (error instanceof CannotUnseal) return undefined
    throw error
  }
}
