import { Type } from 'typebox'
import { AccountPost, accountPosts } from '../../../delivery/activities/account/post.ts'
import type { PostFormat } from '../../../delivery/streams/posts/formats.ts'
import type { Naming } from '../../../platform/http/contract.ts'
import { compileReply } from '../../../platform/http/reply.ts'

const Line = Type.Array(AccountPost)

/**
 * Shows posts in classic form, each in a list of its own. `coreOrigin`: the links of cut posts
 * begin with it.
 */
export function powerstreamFormat({
  naming,
  coreOrigin,
}: {
  naming: Naming
  coreOrigin: string
}): PostFormat {
  const write = compileReply(Line, naming.vocabulary)
  return {
    key: 'classic',
    async *write(ids, { view: { store, mediaOrigin } }) {
      const posts = await accountPosts(ids, { store, mediaOrigin, coreOrigin })
      for (const id of ids) {
        const post = posts(id)
        if (post) yield [id, write([post])]
      }
    },
    line: (post) => post,
  }
}
