import { Type } from 'typebox'
import { AccountPost, accountPosts } from '../../activity/account/post.ts'
import type { Naming } from '../../http/contract.ts'
import { compileReply } from '../../http/reply.ts'
import type { PostFormat } from '../../streams/posts/formats.ts'

const Line = Type.Array(AccountPost)

/** Shows posts in classic form, each in a list of its own. `coreOrigin`: the links of cut posts begin with it. */
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
