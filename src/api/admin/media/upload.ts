import { Type } from 'typebox'
import { CATEGORIES } from '../../../domain/media/media.ts'
import { setAltText } from '../../../domain/media/queries.ts'
import { MAX_WHOLE_BYTES, uploadError } from '../../../domain/media/upload-rules.ts'
import { uploadWhole } from '../../../domain/media/uploads.ts'
import { msg } from '../../../platform/http/message.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { choice, closedObject, text } from '../../../platform/http/schema.ts'
import { userIn } from '../../../workbench/create/find-user.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { userName } from '../users/user.ts'
import { AdminMedium, EXAMPLE, presentMedium } from './medium.ts'

/** POST /admin/v1/media: uploads a medium as any user. */
export const uploadAnyMedium = endpoint({
  ...ADMIN,
  id: 'uploadAnyMedium',
  method: 'POST',
  path: '/admin/v1/media',
  summary: 'Upload a medium as a user',
  description:
    'Uploads the image, GIF or video in the body as any user: an image up to 5 MB, others up to 15 MB. `POST /admin/v1/posts` takes its id in `media_ids`. A medium that is not used within a day is deleted.',
  contentTypes: [
    ...['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'video/mp4', 'video/quicktime'],
    'application/octet-stream',
  ],
  query: {
    user: userName('Whose medium it is: id or screen name.'),
    category: Type.Optional(choice([...CATEGORIES], 'What it is for: by default what the file is.')),
    alt_text: Type.Optional(text(1, 1_000, 'Alternative text.')),
  },
  status: 201,
  reply: closedObject({ data: AdminMedium }),
  errors: [...ADMIN.errors, 'media not readable', 'media too large', 'media quota exceeded'],
  example: { reply: { data: EXAMPLE } },
  async handle({ query: { user, category, alt_text = null }, content }, context) {
    const { id: userId } = await userIn(context.store, 'user', user)
    const file = await whole(content)
    const options = { content: file, category, owners: [], shared: false }
    const row = await uploadWhole(options, { userId, context })
    if (alt_text !== null)
      await context.store.write((tx) => tx.run(setAltText, { id: row.id, text: alt_text }))
    return json({ data: presentMedium({ ...row, alt_text }) })
  },
})

/** The whole body, which has a limit. */
async function whole(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > MAX_WHOLE_BYTES)
      throw uploadError('media too large', {
        name: 'media',
        why: msg`A file in one request has up to ${MAX_WHOLE_BYTES} bytes.`,
      })
    chunks.push(chunk)
  }
  if (bytes === 0) throw uploadError('media not readable', { name: 'media', why: msg`The file is empty.` })
  return Buffer.concat(chunks)
}
