import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { NOW_MS, type OpenedStore, storeStages } from '../../../test/support/stores.ts'
import { addRelation } from '../../identity/relations/queries.ts'
import { profilesByIds } from '../../identity/users/queries.ts'
import { LAST_ID } from '../../platform/common/ids.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'
import { addMedia, mediaById } from '../media/queries.ts'
import type { MediaRow } from '../media/tables.ts'
import { acceptingMessages, checkRecipients } from './acceptance.ts'
import { otherParticipant, pairId } from './conversation.ts'
import { deleteForUser } from './delete.ts'
import {
  type EventPageArgs,
  eventPages,
  eventsSeenBy,
  lockConversation,
  markRead,
  participantsOf,
  viewersOfEvent,
} from './queries.ts'
import { join, leave, openGroup, openPair, sendMessage } from './send.ts'

const [ANN, BOB, CAT, DAN] = ['9', '10', '11', '12']

test('the id of a conversation begins with the smaller user, compared as numbers', () => {
  assert.equal(pairId('9', '10'), '9-10')
  assert.equal(pairId('10', '9'), '9-10')
  assert.equal(
    pairId('1900000000000000001', '1900000000000000000'),
    '1900000000000000000-1900000000000000001',
  )
})

test('a conversation of two tells who the other is, only to those two and only by its own id', () => {
  assert.equal(otherParticipant('9-10', '9'), '10')
  assert.equal(otherParticipant('9-10', '10'), '9')
  assert.equal(otherParticipant('9-10', '11'), undefined)
  assert.equal(otherParticipant('10-9', '9'), undefined)
  assert.equal(otherParticipant('1900000000000000000', '9'), undefined)
})

for (const stage of storeStages) {
  describe(`direct messages on ${stage.name}`, { skip: stage.skip }, () => {
    let at: OpenedStore
    let store: Store
    before(async () => {
      at = await stage.open()
      store = at.store
    })
    beforeEach(async () => {
      at.clock.moveTo(NOW_MS)
      await at.clear()
      for (const [id, name] of [
        [ANN, 'ann'],
        [BOB, 'bob'],
        [CAT, 'cat'],
        [DAN, 'dan'],
      ] as const)
        await at.addUser(id, name)
    })
    after(() => at.close())

    const by = (userId: string) => ({ userId, appId: '77' })
    const write = <T>(run: (tx: Transaction) => Promise<T>) => store.write(run)
    const send = (conversation: string, sender: string, text = 'Hello', medium?: MediaRow) =>
      write((tx) => sendMessage(tx, { conversation, actor: by(sender), message: { text, medium } }, at))
    /** A message of one user to another. */
    const tell = async (sender: string, recipient: string, text?: string, medium?: MediaRow) => {
      await write((tx) => openPair(tx, by(sender), recipient))
      return send(pairId(sender, recipient), sender, text, medium)
    }
    const viewers = async (id: string) =>
      (await store.all(viewersOfEvent, { id })).map(({ user_id }) => user_id).toSorted()
    const participants = async (id: string) =>
      (await store.all(participantsOf, { id })).map(({ user_id }) => user_id).toSorted()
    const relate = (source_id: string, target_id: string, kind: string) =>
      write((tx) => tx.run(addRelation, { source_id, target_id, kind, created_at: 0 }))

    describe('who accepts them', () => {
      const accepting = async (sender: string, ...ids: readonly string[]) => {
        const users = await store.all(profilesByIds, { ids: JSON.stringify(ids) })
        return [...(await acceptingMessages(store, sender, users))].toSorted()
      }

      test('everyone, unless they chose those whom they follow', async () => {
        await at.addUser('20', 'shy', { direct_messages_from: 'followed' })
        assert.deepEqual(await accepting(ANN, BOB, '20'), [BOB])
        await relate(ANN, '20', 'follow')
        assert.deepEqual(await accepting(ANN, '20'), [])
        await relate('20', ANN, 'follow')
        assert.deepEqual(await accepting(ANN, '20'), ['20'])
      })

      test('always those who have written to the sender themselves, and not those who only received', async () => {
        await at.addUser('20', 'shy', { direct_messages_from: 'followed' })
        await at.addUser('21', 'shier', { direct_messages_from: 'followed' })
        await tell('20', ANN)
        await tell(ANN, '21')
        assert.deepEqual(await accepting(ANN, '20', '21'), ['20'])
        assert.deepEqual(await accepting(BOB, '20'), [])
      })

      test('no one beside a block, in whichever direction, even after they have written', async () => {
        await tell(BOB, ANN)
        await relate(ANN, BOB, 'block')
        await relate(CAT, ANN, 'block')
        await relate(DAN, ANN, 'mute')
        assert.deepEqual(await accepting(ANN, BOB, CAT, DAN), [DAN])
      })

      test('neither a suspended user nor the sender', async () => {
        await at.addUser('20', 'gone', { suspended: 1 })
        assert.deepEqual(await accepting(ANN, ANN, '20', BOB), [BOB])
      })

      test('recipients who do not exist get another error than those who accept none', async () => {
        await relate(CAT, ANN, 'block')
        const checked = await write((tx) => checkRecipients(tx, ANN, ['404', BOB, CAT, ANN, '405']))
        assert.deepEqual(checked, { unknown: ['404', '405'], closed: [CAT, ANN] })
      })
    })

    describe('between two users', () => {
      test('a message is seen by both, with one event of the log', async () => {
        const { id } = await tell(ANN, BOB, 'Hello #world')
        assert.deepEqual(await viewers(id), [BOB, ANN])
        const [row] = await store.all(eventsSeenBy, { ids: `["${id}"]`, viewer: BOB })
        assert.deepEqual(
          [row?.conversation_id, row?.event_type, row?.sender_id, row?.text, row?.app_id, row?.created_at],
          ['9-10', 'MessageCreate', '9', 'Hello #world', '77', NOW_MS],
        )
        assert.deepEqual(JSON.parse(row?.entities ?? '').hashtags, [{ start: 6, end: 12, tag: 'world' }])
        assert.deepEqual(await store.all(eventsSeenBy, { ids: `["${id}"]`, viewer: CAT }), [])
        assert.deepEqual(await at.newEvents(), [
          ['direct-message.created', { event_id: id, conversation_id: '9-10', sender_id: '9', app_id: '77' }],
        ])
      })

      test('whoever writes first begins the conversation; opening it again changes nothing', async () => {
        await tell(BOB, ANN)
        at.clock.advance(1_000)
        assert.equal(await write((tx) => openPair(tx, by(ANN), BOB)), '9-10')
        const row = await write((tx) => tx.first(lockConversation, { id: '9-10' }))
        assert.deepEqual({ ...row }, { id: '9-10', creator_id: '10', is_group: 0, created_at: NOW_MS })
        assert.deepEqual(await participants('9-10'), [BOB, ANN])
      })

      test('what was read never goes back', async () => {
        const [first, second] = [await tell(ANN, BOB), await tell(ANN, BOB)]
        const read = (event: string) => write((tx) => tx.run(markRead, { id: '9-10', user: BOB, event }))
        assert.deepEqual([await read(second.id), await read(first.id), await read(second.id)], [1, 0, 0])
        const rows = await store.all(participantsOf, { id: '9-10' })
        assert.equal(rows.find(({ user_id }) => user_id === BOB)?.last_read_event_id, second.id)
        assert.equal(rows.find(({ user_id }) => user_id === ANN)?.last_read_event_id, null)
      })
    })

    describe('of a group', () => {
      const begin = (...others: readonly string[]) => write((tx) => openGroup(tx, by(ANN), others, at))
      const page = async (user: string, conversation: string) => {
        const rows = await store.all(eventPages.conversation.newer, { ...ALL, user, conversation })
        const ids = rows.map(({ event_id }) => event_id)
        const seen = await store.all(eventsSeenBy, { ids: JSON.stringify(ids), viewer: user })
        const of = new Map(seen.map((row) => [row.id, row]))
        return ids.map((id) => [of.get(id)?.event_type, of.get(id)?.text || of.get(id)?.participant_ids])
      }

      test('it begins with those who were added, and has its own id however often it is begun', async () => {
        const group = await begin(BOB, CAT)
        assert.notEqual(group, await begin(BOB, CAT))
        assert.deepEqual(await participants(group), [BOB, CAT, ANN])
        const expected = [['ParticipantsJoin', '["10","11"]']]
        assert.deepEqual([await page(ANN, group), await page(BOB, group)], [expected, expected])
        const kinds = (await at.newEvents()).map(([kind]) => kind)
        assert.deepEqual(kinds, ['direct-message.participants-joined', 'direct-message.participants-joined'])
      })

      test('each user sees what happens from joining until leaving, both included', async () => {
        const conversation = await begin(BOB)
        await send(conversation, ANN, 'before')
        await write((tx) => join(tx, { conversation, actor: by(ANN), participants: [CAT, BOB] }, at))
        await send(conversation, BOB, 'between')
        await write((tx) => leave(tx, { conversation, actor: by(CAT) }, at))
        await send(conversation, BOB, 'after')
        assert.deepEqual(await page(CAT, conversation), [
          ['ParticipantsJoin', '["11","10"]'],
          ['MessageCreate', 'between'],
          ['ParticipantsLeave', '["11"]'],
        ])
        assert.equal((await page(BOB, conversation)).length, 6)
        assert.deepEqual(await page(DAN, conversation), [])
        assert.deepEqual(await participants(conversation), [BOB, ANN])
        assert.deepEqual(
          (await at.newEvents()).map(([kind]) => kind),
          [
            'direct-message.participants-joined',
            'direct-message.created',
            'direct-message.participants-joined',
            'direct-message.created',
            'direct-message.participants-left',
            'direct-message.created',
          ],
        )
      })

      test('users who do not exist do not take part', async () => {
        assert.deepEqual(await participants(await begin(BOB, '404')), [BOB, ANN])
      })
    })

    describe('in pages', () => {
      const ids = async (query: typeof eventPages.all.older, args: Partial<EventPageArgs>) =>
        (await store.all(query, { ...ALL, user: BOB, conversation: '', ...args })).map(
          ({ event_id }) => event_id,
        )

      test('all conversations of a user or one of them, in both directions, with any types', async () => {
        const first = await tell(ANN, BOB)
        const group = await write((tx) => openGroup(tx, by(CAT), [BOB, DAN], at))
        const second = await send(group, CAT)
        const left = await write((tx) => leave(tx, { conversation: group, actor: by(DAN) }, at))
        const third = await tell(BOB, ANN)
        await tell(ANN, CAT)
        const [joined = ''] = await ids(eventPages.conversation.newer, { conversation: group, limit: 1 })
        const { older, newer } = eventPages.all
        assert.deepEqual(await ids(older, {}), [third.id, left.id, second.id, joined, first.id])
        assert.deepEqual(await ids(newer, { limit: 2 }), [first.id, joined])
        assert.deepEqual(await ids(newer, { after: joined, before: third.id }), [second.id, left.id])
        assert.deepEqual(await ids(older, { before: second.id, limit: 1 }), [joined])
        assert.deepEqual(await ids(older, { join: '', leave: '' }), [third.id, second.id, first.id])
        assert.deepEqual(await ids(older, { message: '', join: '' }), [left.id])
        const one = { conversation: '9-10' }
        assert.deepEqual(await ids(eventPages.conversation.older, one), [third.id, first.id])
        assert.deepEqual(await ids(eventPages.conversation.newer, one), [first.id, third.id])
        assert.deepEqual(await ids(eventPages.conversation.newer, { ...one, user: CAT }), [])
      })
    })

    describe('deleted', () => {
      const remove = (id: string, user: string) => write((tx) => deleteForUser(tx, id, user))

      test('one user no longer sees it; the message itself goes with the last who sees it', async () => {
        const { id } = await tell(ANN, BOB)
        await at.newEvents()
        assert.deepEqual(
          [await remove(id, CAT), await remove(id, ANN), await remove(id, ANN)],
          [false, true, false],
        )
        assert.deepEqual(await viewers(id), [BOB])
        assert.deepEqual(await at.newEvents(), [
          ['direct-message.deleted', { event_id: id, conversation_id: '9-10', user_id: '9' }],
        ])
        const atOnce = await Promise.all([remove(id, BOB), remove(id, BOB)])
        assert.deepEqual(atOnce.toSorted(), [false, true])
        assert.deepEqual(await viewers(id), [])
        assert.equal(await remove(id, BOB), false)
      })

      test('its medium is in use until then, and expires a day later', async () => {
        const medium = await storedMedium(ANN)
        const { id, media_keys } = await tell(ANN, BOB, '', medium)
        assert.equal(media_keys, '["3_50"]')
        const expiry = async () => (await store.first(mediaById, { id: '50' }))?.expires_at
        assert.equal(await expiry(), null)
        await remove(id, ANN)
        assert.equal(await expiry(), null)
        await remove(id, BOB)
        assert.equal(await expiry(), NOW_MS + 86_400_000)
      })

      test('a message with a medium that no longer exists is not sent', async () => {
        const medium = { ...(await storedMedium(ANN)), id: '51' }
        await assert.rejects(tell(ANN, BOB, '', medium), /the medium of a message was not locked/)
        assert.deepEqual(await store.all(eventPages.all.older, { ...ALL, user: ANN, conversation: '' }), [])
      })

      async function storedMedium(owner_id: string): Promise<MediaRow> {
        const row: MediaRow = {
          ...{ id: '50', media_key: '3_50', owner_id, additional_owners: '[]', shared: 0 },
          ...{ category: 'POST_IMAGE', made_for: null, state: 'READY', bytes: 1, hash: null },
          ...{ content_type: null, width: 1, height: 1, duration_ms: null, poster_hash: null },
          ...{ poster_type: null, posted: 0, alt_text: null, source_post_id: null, finishing_until: 0 },
          ...{ expires_at: NOW_MS + 5, created_at: NOW_MS },
        }
        await write((tx) => tx.run(addMedia, row))
        return row
      }
    })
  })
}

/** A page of everything. */
const ALL = {
  ...{ message: 'MessageCreate', join: 'ParticipantsJoin', leave: 'ParticipantsLeave' },
  ...{ after: '0', before: LAST_ID, limit: 100 },
}
