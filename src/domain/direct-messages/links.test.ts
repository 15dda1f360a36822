import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { storedPost } from '../../../test/support/stored-post.ts'
import { type OpenedStore, storeStages } from '../../../test/support/stores.ts'
import { addRelation } from '../../identity/relations/queries.ts'
import { entitiesOf } from '../posts/insert.ts'
import { deleteVersions } from '../posts/remove.ts'
import { linkedPosts } from './send.ts'

const [ANN, BOB, CAT, SHUT] = ['9', '10', '11', '12']
const link = (name: string, id: string) => `https://social.example.com/${name}/status/${id}`

for (const stage of storeStages) {
  describe(`links of messages to posts on ${stage.name}`, { skip: stage.skip }, () => {
    let at: OpenedStore
    before(async () => {
      at = await stage.open()
    })
    beforeEach(async () => {
      await at.clear()
      await at.addUser(ANN, 'ann')
      await at.addUser(BOB, 'Bob')
      await at.addUser(CAT, 'cat')
      await at.addUser(SHUT, 'shut', { protected: 1 })
    })
    after(() => at.close())

    const linksOf = (text: string, sender = ANN) =>
      at.store.write(async (tx) => linkedPosts(tx, await entitiesOf(tx, text), sender))

    test('name each post once, on any host and in any case, if the path names its author', async () => {
      const [a, b] = [await storedPost(at, BOB, 'one'), await storedPost(at, CAT, 'two')]
      const again = `http://other.example.org/bOB/status/${a.id}/`
      assert.deepEqual(await linksOf(`${link('cat', b.id)} ${link('Bob', a.id)} ${again}`), [b.id, a.id])
      assert.deepEqual(await linksOf(`${link('bob', a.id)}?s=1#top`), [a.id])
      assert.deepEqual(await linksOf(`${link('cat', a.id)} ${link('bob', '1')} see ${a.id}`), [])
      assert.deepEqual(await linksOf(`${link('bob', a.id)}/photo/1 ${link('i/bob', a.id)}`), [])
    })

    test('do not name one that the sender does not see, or that was deleted', async () => {
      const [hidden, gone] = [await storedPost(at, SHUT, 'hidden'), await storedPost(at, BOB, 'gone')]
      const text = `${link('shut', hidden.id)} ${link('bob', gone.id)}`
      assert.deepEqual(await linksOf(text), [gone.id])
      await at.store.write((tx) => deleteVersions(tx, gone))
      assert.deepEqual(await linksOf(text), [])
      assert.deepEqual(await linksOf(text, SHUT), [hidden.id])
      const follow = { source_id: ANN, target_id: SHUT, kind: 'follow', created_at: 0 }
      await at.store.write((tx) => tx.run(addRelation, follow))
      assert.deepEqual(await linksOf(text), [hidden.id])
    })

    test('name those of the first ten links to posts', async () => {
      const { id } = await storedPost(at, BOB, 'one')
      const others = (count: number) => Array.from({ length: count }, (_, n) => link('bob', `${n + 1}`))
      const text = (count: number) => ['https://example.com/', ...others(count), link('bob', id)].join(' ')
      assert.deepEqual(await linksOf(text(9)), [id])
      assert.deepEqual(await linksOf(text(10)), [])
    })
  })
}
