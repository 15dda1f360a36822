import { Type } from 'typebox'
import type { PlazaTerms } from '../../../identity/auth/endpoint.ts'
import { endpointsOf } from '../../../platform/http/endpoint.ts'
import { protocolOf } from '../../../platform/protocols/protocols.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { PREVIEW_PATH, previewOfToken } from './address.ts'
import { missingPage, postPage } from './page.ts'
import { postOfPreview } from './post.ts'

/** Declares an endpoint for a preview page, on the core host. */
const endpoint = endpointsOf<PlazaTerms<AdsDependencies>>(protocolOf)

/**
 * GET /post-preview/{preview_id}: the page in the frame of a preview. Anyone with the URL can see
 * it for an hour.
 */
export const showPostPreview = endpoint({
  id: 'showPostPreview',
  host: 'core',
  method: 'GET',
  path: PREVIEW_PATH,
  summary: 'Show the preview of a post',
  description:
    'The page that a URL of `post_previews` opens: the post with its media and card. Any site may show it in a frame. A URL is valid for an hour; after that the page returns 410.',
  source: 'Creatives (reference: post previews)',
  auth: ['none'],
  limits: { address: '900/15m' },
  params: {
    preview_id: Type.String({
      pattern: '^[A-Za-z0-9_-]{40,400}$',
      description: 'Encrypted token, created by Plaza.',
    }),
  },
  replyKind: 'page',
  reply: Type.Unsafe<never>({ type: 'string', description: 'A page for the browser.' }),
  onInvalid: 'not found',
  errors: ['not found'],
  async handle({ params }, context) {
    const { origin } = new URL(context.mediaOrigin)
    const preview = previewOfToken(params.preview_id, context)
    if (!preview) return missingPage(404, 'There is no preview at this address.', origin)
    if (preview.expiresAt <= context.clock.now())
      return missingPage(410, 'This preview has expired. Ask for another one.', origin)
    const found = await postOfPreview(preview, context)
    if (!found) return missingPage(410, 'This post is no longer available.', origin)
    return postPage(found.post, found.card, origin)
  },
})
