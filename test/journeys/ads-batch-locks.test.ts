import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Reply } from '../support/client.ts'
import { stages } from '../support/stages.ts'
import { listOf, Targeter } from '../support/targeting.ts'

const CLIENTS = 4
const BATCHES = 6
const PARENTS = 20

const LINE_ITEM = {
  objective: 'ENGAGEMENTS',
  product_type: 'PROMOTED_POSTS',
  placements: ['ALL_ON_SERVICE'],
}

for (const stage of stages.filter(({ shared }) => shared)) {
  describe(`concurrent batches on ${stage.name}`, { skip: stage.skip }, () => {
    let targeter: Targeter
    before(async () => {
      targeter = await Targeter.open(stage)
    })
    after(() => targeter?.close())

    /**
     * How often the store ran each write of some work: more often than others when it ended in a
     * deadlock.
     */
    async function runsOfWrites(work: () => Promise<unknown>): Promise<Set<number>> {
      const { store } = targeter.opened.plaza.context
      const { write } = store
      const runs: number[] = []
      store.write = async (change) => {
        const index = runs.push(0) - 1
        return write.call(store, (tx) => {
          runs[index] = (runs[index] ?? 0) + 1
          return change(tx)
        }) as ReturnType<typeof change>
      }
      try {
        await work()
      } finally {
        store.write = write
      }
      return new Set(runs)
    }

    /** Runs the batches of each client one after another, and the clients at the same time. */
    async function atOnce(send: (client: number, batch: number) => Promise<Reply>): Promise<void> {
      const replies: Reply[] = []
      const runs = await runsOfWrites(() =>
        Promise.all(
          Array.from({ length: CLIENTS }, async (_, client) => {
            for (let batch = 0; batch < BATCHES; batch++) replies.push(await send(client, batch))
          }),
        ),
      )
      assert.deepEqual(
        replies
          .filter(({ status }) => status !== 200)
          .map(({ status, text }) => `${status} ${text.slice(-300)}`),
        [],
      )
      assert.equal(replies.length, CLIENTS * BATCHES)
      assert.equal(runs.size, 1, 'the database ran a write again')
    }

    const inOrder = (ids: readonly string[], client: number) => (client % 2 === 0 ? ids : ids.toReversed())

    test('line items are created in the same campaigns, whatever their order', async () => {
      const ann = await targeter.account()
      const funding_instrument_id = (await ann.fund()).id
      const campaigns: string[] = []
      for (let made = 0; made < PARENTS; made++)
        campaigns.push((await ann.campaign({ funding_instrument_id })).id)
      await atOnce((client) => {
        const ids = inOrder([...campaigns, ...campaigns], client)
        return targeter.post(
          `/batch/accounts/${ann.account.id}/line_items`,
          ids.map((campaign_id) => ({ operation_type: 'Create', params: { campaign_id, ...LINE_ITEM } })),
        )
      })
      const all = listOf(await targeter.call('GET', `/accounts/${ann.account.id}/line_items?count=1000`))
      assert.equal(all.length, CLIENTS * BATCHES * 2 * PARENTS)
    })

    test('criteria are created and deleted while their line items get budgets', async () => {
      const ann = await targeter.account()
      const campaign_id = (await ann.campaign()).id
      const lineItems: string[] = []
      for (let made = 0; made < PARENTS; made++) lineItems.push((await ann.lineItem({ campaign_id })).id)
      const path = `/batch/accounts/${ann.account.id}`
      const keyword = (line_item_id: string, targeting_value: string) => ({
        operation_type: 'Create',
        params: { line_item_id, targeting_type: 'PHRASE_KEYWORD', targeting_value },
      })
      /** The criteria that a client created last. */
      const made = new Map<number, string[]>()
      await atOnce(async (client, batch) => {
        const ids = inOrder(lineItems, client)
        if (client === CLIENTS - 1)
          return targeter.post(
            `${path}/line_items`,
            ids.map((line_item_id) => ({
              operation_type: 'Update',
              params: { line_item_id, daily_budget_amount_local_micro: 1_000_000 * (batch + 1) },
            })),
          )
        const gone = (made.get(client) ?? []).map((targeting_criterion_id) => ({
          operation_type: 'Delete',
          params: { targeting_criterion_id },
        }))
        const operations = [...gone, ...ids.map((id) => keyword(id, `words ${client} ${batch}`))]
        const reply = await targeter.post(`${path}/targeting_criteria`, operations)
        made.set(
          client,
          listOf(reply).flatMap(({ id, deleted }) => (deleted ? [] : [id])),
        )
        return reply
      })
    })
  })
}
