import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { grantAccess } from '../../src/api/ads/accounts/open.ts'
import { customAudiences } from '../../src/api/ads/audiences/custom-audiences.ts'
import { removeSet } from '../../src/api/ads/catalogs/queries.ts'
import { DELETED, VISIBLE } from '../../src/api/ads/entity/queries.ts'
import { promotedPosts } from '../../src/api/ads/promoted-posts/promoted-posts.ts'
import { conditions } from '../../src/api/ads/servability/queries.ts'
import { targetingCriteria } from '../../src/api/ads/targeting/criteria.ts'
import { adHocQuery } from '../../src/app/tables.ts'
import { putSpending } from '../../src/domain/ad-delivery/queries.ts'
import { insertPost } from '../../src/domain/posts/insert.ts'
import { versionsOf } from '../../src/domain/posts/queries.ts'
import type { PostRow } from '../../src/domain/posts/tables.ts'
import { setSuspended } from '../../src/identity/apps/suspension.ts'
import { updateProfile } from '../../src/identity/users/profile.ts'
import { nextBase36 } from '../../src/platform/common/ids.ts'
import { changePost } from '../../src/workbench/create/posts.ts'
import { type Data, Desk, dataOf, listOf, newPerson, type Person } from '../support/ads-desk.ts'
import { productSetOf } from '../support/catalogs.ts'
import { Client, type Reply } from '../support/client.ts'
import { letRepost, makePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'
import { makeWebEventTag } from '../support/targeting.ts'

type Tx = Parameters<Parameters<Opened['plaza']['context']['store']['write']>[0]>[0]

/** Adds a promotable user, or removes one. */
const changePromotable = adHocQuery<{ account: string; user: string; visibility: number }>(
  'test_change_promotable',
  (db, at) =>
    db
      .updateTable('promotable_users' as never)
      .set({ visibility: at.visibility } as never)
      .where('account_id' as never, '=', at.account as never)
      .where('user_id' as never, '=', at.user as never),
)

const HOUR_MS = 3_600_000
const RUNNING = { servable: true, reasons_not_servable: [], effective_status: 'RUNNING' }
const not = (effective_status: string, ...reasons: string[]) => ({
  servable: false,
  reasons_not_servable: reasons,
  effective_status,
})

/** A campaign with one line item that shows a post. */
interface Set {
  desk: Desk
  opened: Opened
  campaignId: string
  lineItemId: string
  fundingId: string
  promotedId: string
  tagId: string
  products: { catalog_id: string; product_set_id: string }
}

interface Case {
  /** Values of the line item and the campaign, in place of the usual ones. */
  lineItem?: (set: Pick<Set, 'opened' | 'tagId' | 'products'>) => Record<string, unknown>
  campaign?: Record<string, unknown>
  /** Makes the condition true. Without it the condition is true from the beginning. */
  hold?: (set: Set) => Promise<unknown>
  /** Makes it false. Without it the condition stays true. */
  release?: (set: Set) => Promise<unknown>
  lineItemIs: object
  campaignIs: object
}

const done = (reply: Reply) => assert.ok(reply.status < 300, reply.text)
const putLineItem = (form: Record<string, string>) => async (set: Set) =>
  done(await set.desk.put(`/line_items/${set.lineItemId}`, form))
const putCampaign = (form: Record<string, string>) => async (set: Set) =>
  done(await set.desk.put(`/campaigns/${set.campaignId}`, form))
const waitAnHour = async ({ opened }: Set) => opened.plaza.clock.advance(HOUR_MS)

/** Sets a column that no call sets. */
const store =
  (table: string, column: string, value: string | number | null, id: (set: Set) => string) => (set: Set) => {
    const change = adHocQuery<{ id: string }>(`test_${table}_${column}_${value}`, (db, at) =>
      db
        .updateTable(table as never)
        .set({ [column]: value } as never)
        .where('id' as never, '=', at.id as never),
    )
    return set.opened.plaza.context.store.write((tx) => tx.run(change, { id: id(set) }))
  }
const review = (status: string) => store('accounts', 'approval_status', status, ({ desk }) => desk.accountId)
const funding = (column: string, value: string | number | null) =>
  store('funding_instruments', column, value, ({ fundingId }) => fundingId)

/** Spends an amount of what is sold at 0.20. */
const spend = (spent: number, id: (set: Set) => string) => (set: Set) => {
  const rows = JSON.stringify([{ id: id(set), spent, unit: 200_000, state: '{}' }])
  return set.opened.plaza.context.store.write((tx) =>
    tx.run(putSpending, { account: set.desk.accountId, rows }),
  )
}

const keyword = async (set: Set, operator_type = 'EQ') =>
  done(
    await set.desk.post('/targeting_criteria', {
      line_item_id: set.lineItemId,
      targeting_type: 'PHRASE_KEYWORD',
      targeting_value: `coffee ${operator_type}`,
      operator_type,
    }),
  )

/** Every condition of the table, by its own words. */
const cases: Record<string, Case> = {
  'the line item is deleted': {
    hold: ({ desk, lineItemId }) => desk.delete(`/line_items/${lineItemId}`),
    lineItemIs: not('UNKNOWN', 'DELETED'),
    campaignIs: not('UNKNOWN', 'INCOMPLETE'),
  },
  'the campaign is deleted': {
    hold: ({ desk, campaignId }) => desk.delete(`/campaigns/${campaignId}`),
    lineItemIs: not('UNKNOWN', 'DELETED'),
    campaignIs: not('UNKNOWN', 'DELETED'),
  },
  'the line item is a draft': {
    lineItem: () => ({ entity_status: 'DRAFT' }),
    release: putLineItem({ entity_status: 'ACTIVE' }),
    lineItemIs: not('UNKNOWN', 'AWAITING_APPROVAL_BY_ADVERTISER'),
    campaignIs: not('UNKNOWN', 'AWAITING_APPROVAL_BY_ADVERTISER'),
  },
  'the campaign is a draft': {
    campaign: { entity_status: 'DRAFT' },
    release: putCampaign({ entity_status: 'ACTIVE' }),
    lineItemIs: not('UNKNOWN', 'AWAITING_APPROVAL_BY_ADVERTISER'),
    campaignIs: not('UNKNOWN', 'AWAITING_APPROVAL_BY_ADVERTISER'),
  },
  'the line item is paused': {
    hold: putLineItem({ entity_status: 'PAUSED' }),
    release: putLineItem({ entity_status: 'ACTIVE' }),
    lineItemIs: not('PAUSED', 'PAUSED_BY_ADVERTISER'),
    campaignIs: not('PAUSED', 'PAUSED_BY_ADVERTISER'),
  },
  'the campaign is paused': {
    hold: putCampaign({ entity_status: 'PAUSED' }),
    release: putCampaign({ entity_status: 'ACTIVE' }),
    lineItemIs: not('PAUSED', 'PAUSED_BY_ADVERTISER'),
    campaignIs: not('PAUSED', 'PAUSED_BY_ADVERTISER'),
  },
  'the campaign has no line item': {
    hold: ({ desk, lineItemId }) => desk.delete(`/line_items/${lineItemId}`),
    release: async (set) => {
      const { id } = await set.desk.advertiser.lineItem({ campaign_id: set.campaignId })
      set.lineItemId = id
      await show(set)
    },
    lineItemIs: not('UNKNOWN', 'DELETED'),
    campaignIs: not('UNKNOWN', 'INCOMPLETE'),
  },
  'the line item has no promoted post, promoted account or media creative that may be shown': {
    hold: ({ desk, promotedId }) => desk.delete(`/promoted_posts/${promotedId}`),
    release: (set) => show(set),
    lineItemIs: not('UNKNOWN', 'INCOMPLETE'),
    campaignIs: not('UNKNOWN', 'INCOMPLETE'),
  },
  'SERVICE_SEARCH is among the placements, and no keyword is targeted': {
    lineItem: () => ({ placements: ['SERVICE_SEARCH'] }),
    // A keyword that is excluded finds no one.
    hold: (set) => keyword(set, 'NE'),
    release: (set) => keyword(set),
    lineItemIs: not('UNKNOWN', 'INCOMPLETE'),
    campaignIs: not('UNKNOWN', 'INCOMPLETE'),
  },
  'the goal is WEBSITE_CONVERSIONS, and the primary web event tag is deleted': {
    lineItem: ({ tagId }) => ({
      objective: 'WEBSITE_CLICKS',
      goal: 'WEBSITE_CONVERSIONS',
      primary_web_event_tag: tagId,
    }),
    hold: ({ desk, tagId }) => desk.delete(`/web_event_tags/${tagId}`),
    release: putLineItem({ goal: 'LINK_CLICKS' }),
    lineItemIs: not('UNKNOWN', 'INCOMPLETE'),
    campaignIs: not('UNKNOWN', 'INCOMPLETE'),
  },
  'the creative source is DYNAMIC_PRODUCT_CREATIVE, and the product set is deleted': {
    lineItem: ({ tagId, products }) => ({
      objective: 'WEBSITE_CLICKS',
      goal: 'WEBSITE_CONVERSIONS',
      primary_web_event_tag: tagId,
      creative_source: 'DYNAMIC_PRODUCT_CREATIVE',
      ...products,
    }),
    hold: ({ opened, products }) =>
      opened.plaza.context.store.write((tx) => tx.run(removeSet, { id: products.product_set_id })),
    release: putLineItem({ creative_source: 'MANUAL', catalog_id: '', product_set_id: '' }),
    lineItemIs: not('UNKNOWN', 'INCOMPLETE'),
    campaignIs: not('UNKNOWN', 'INCOMPLETE'),
  },
  'the line item starts later': {
    lineItem: ({ opened }) => ({ start_time: opened.plaza.clock.now() + HOUR_MS }),
    release: waitAnHour,
    lineItemIs: not('UNKNOWN', 'STARTS_IN_FUTURE'),
    campaignIs: not('UNKNOWN', 'STARTS_IN_FUTURE'),
  },
  'the line item has ended': {
    lineItem: ({ opened }) => ({ end_time: opened.plaza.clock.now() + HOUR_MS }),
    hold: waitAnHour,
    release: putLineItem({ end_time: '' }),
    lineItemIs: not('UNKNOWN', 'EXPIRED'),
    campaignIs: not('UNKNOWN', 'EXPIRED'),
  },
  'the bid is above a budget of the line item': {
    hold: putLineItem({ bid_amount_local_micro: '3000000', daily_budget_amount_local_micro: '2990000' }),
    release: putLineItem({ daily_budget_amount_local_micro: '3000000' }),
    lineItemIs: not('UNKNOWN', 'BUDGET_EXHAUSTED'),
    campaignIs: not('UNKNOWN', 'BUDGET_EXHAUSTED'),
  },
  'the bid is above a budget of the campaign': {
    hold: putCampaign({ daily_budget_amount_local_micro: '990000' }),
    release: putCampaign({ daily_budget_amount_local_micro: '1000000' }),
    lineItemIs: not('UNKNOWN', 'BUDGET_EXHAUSTED'),
    campaignIs: not('UNKNOWN', 'BUDGET_EXHAUSTED'),
  },
  'the total budget is above that of the campaign': {
    lineItem: () => ({ total_budget_amount_local_micro: 5_000_000 }),
    campaign: { daily_budget_amount_local_micro: 2_000_000 },
    hold: putCampaign({ total_budget_amount_local_micro: '4990000' }),
    release: putCampaign({ total_budget_amount_local_micro: '5000000' }),
    lineItemIs: not('UNKNOWN', 'BUDGET_EXHAUSTED'),
    campaignIs: not('UNKNOWN', 'BUDGET_EXHAUSTED'),
  },
  'the total budget of the line item is spent': {
    hold: async (set) => {
      await putLineItem({ total_budget_amount_local_micro: '5000000' })(set)
      await spend(4_900_000, ({ lineItemId }) => lineItemId)(set)
    },
    release: putLineItem({ total_budget_amount_local_micro: '5100000' }),
    lineItemIs: not('UNKNOWN', 'BUDGET_EXHAUSTED'),
    campaignIs: not('UNKNOWN', 'BUDGET_EXHAUSTED'),
  },
  'the total budget of the campaign is spent': {
    hold: async (set) => {
      await putCampaign({ total_budget_amount_local_micro: '20000000' })(set)
      await spend(19_900_000, ({ campaignId }) => campaignId)(set)
    },
    release: putCampaign({ total_budget_amount_local_micro: '20100000' }),
    lineItemIs: not('UNKNOWN', 'BUDGET_EXHAUSTED'),
    campaignIs: not('UNKNOWN', 'BUDGET_EXHAUSTED'),
  },
  'the funding instrument is not able to fund': {
    hold: funding('entity_status', 'PAUSED'),
    release: funding('entity_status', 'ACTIVE'),
    lineItemIs: not('UNKNOWN', 'FUNDING_PROBLEM'),
    campaignIs: not('UNKNOWN', 'FUNDING_PROBLEM'),
  },
  'the account is under review': {
    hold: review('UNDER_REVIEW'),
    release: review('ACCEPTED'),
    lineItemIs: not('UNKNOWN', 'ACCOUNT_UNDER_REVIEW'),
    campaignIs: not('UNKNOWN', 'ACCOUNT_UNDER_REVIEW'),
  },
  'the account was rejected': {
    hold: review('REJECTED'),
    release: review('ACCEPTED'),
    lineItemIs: not('UNKNOWN', 'ACCOUNT_REJECTED'),
    campaignIs: not('UNKNOWN', 'ACCOUNT_REJECTED'),
  },
}

/** Other ways in which a funding instrument is not able to fund. */
const unfunded: Record<string, Case['hold']> = {
  expired: async (set) => {
    await funding('end_time', set.opened.plaza.clock.now() + HOUR_MS)(set)
    await waitAnHour(set)
  },
  exhausted: funding('credit_limit_local_micro', 0),
  spent: async (set) => {
    await funding('credit_limit_local_micro', 30_000_000)(set)
    await spend(29_900_000, ({ fundingId }) => fundingId)(set)
  },
  deleted: ({ desk, fundingId }) => desk.delete(`/funding_instruments/${fundingId}`),
  'not started': (set) => funding('start_time', set.opened.plaza.clock.now() + HOUR_MS)(set),
}

/** Gives the line item a post to show. */
async function show(set: Set): Promise<void> {
  const { desk, opened, lineItemId } = set
  const post = await makePost(opened.plaza.context, { authorId: desk.person.id, environment: 'sandbox' })
  const made = await desk.advertiser.make(promotedPosts, { line_item_id: lineItemId, post_id: post.id })
  set.promotedId = made.id
}

const standing = ({ servable, reasons_not_servable, effective_status }: Data) => ({
  servable,
  reasons_not_servable,
  effective_status,
})

test('every condition of the table is tried', () => {
  assert.deepEqual(Object.keys(cases).sort(), conditions.map(({ name }) => name).sort())
})

for (const stage of stages) {
  describe(`whether line items are shown, on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Desk

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })
    beforeEach(async () => {
      ann = await Desk.open(opened.plaza, client, { environment: 'sandbox' })
    })

    async function make({ lineItem, campaign }: Pick<Case, 'lineItem' | 'campaign'>): Promise<Set> {
      const { advertiser } = ann
      const { id: fundingId } = await advertiser.fund()
      const { id: tagId } = await makeWebEventTag(advertiser)
      const products = await productSetOf(opened.plaza.context, ann.person.id, 'sandbox')
      const { id: campaignId } = await advertiser.campaign({
        funding_instrument_id: fundingId,
        daily_budget_amount_local_micro: 10_000_000,
        ...campaign,
      })
      const { id: lineItemId } = await advertiser.lineItem({
        campaign_id: campaignId,
        bid_amount_local_micro: 1_000_000,
        ...lineItem?.({ opened, tagId, products }),
      })
      const set = {
        desk: ann,
        opened,
        campaignId,
        lineItemId,
        fundingId,
        tagId,
        products,
        promotedId: '',
      }
      await show(set)
      return set
    }

    /** Targets an audience that no one is in yet. */
    const aim = (line_item_id: string, audience: string) =>
      opened.plaza.context.store.write((tx) =>
        tx.run(targetingCriteria.rows.add, {
          account_id: ann.accountId,
          id: nextBase36(opened.plaza.context.ids),
          visibility: 0,
          created_at: 0,
          updated_at: 0,
          deleted: 0,
          line_item_id,
          name: 'Readers',
          operator_type: 'EQ',
          targeting_type: 'CUSTOM_AUDIENCE',
          targeting_value: audience,
          location_type: null,
        }),
      )

    /** What single reads and lists say, which is the same. */
    async function shown({ lineItemId, campaignId }: Set) {
      const all = 'with_deleted=true&with_draft=true'
      const lineItem = dataOf(await ann.get(`/line_items/${lineItemId}?with_deleted=true`))
      const campaign = dataOf(await ann.get(`/campaigns/${campaignId}?with_deleted=true`))
      const [listed] = listOf(await ann.get(`/line_items?line_item_ids=${lineItemId}&${all}`))
      assert.deepEqual(listed, lineItem)
      const [listedCampaign] = listOf(await ann.get(`/campaigns?campaign_ids=${campaignId}&${all}`))
      assert.deepEqual(listedCampaign, campaign)
      return [standing(lineItem), standing(campaign)]
    }

    for (const [name, { lineItem, campaign, hold, release, lineItemIs, campaignIs }] of Object.entries(cases))
      test(`${name}: not shown, and why`, async () => {
        const set = await make({ ...(lineItem && { lineItem }), ...(campaign && { campaign }) })
        const isHeldAlready = !hold || name.startsWith('SERVICE_SEARCH')
        if (!isHeldAlready) assert.deepEqual(await shown(set), [RUNNING, RUNNING])
        await hold?.(set)
        assert.deepEqual(await shown(set), [lineItemIs, campaignIs])
        if (!release) return
        await release(set)
        assert.deepEqual(await shown(set), [RUNNING, RUNNING])
      })

    for (const [how, hold] of Object.entries(unfunded))
      test(`a funding instrument that is ${how} funds nothing`, async () => {
        const set = await make({})
        await hold?.(set)
        const expected = not('UNKNOWN', 'FUNDING_PROBLEM')
        assert.deepEqual(await shown(set), [expected, expected])
      })

    test('several reasons are listed, and PAUSED is for what could run', async () => {
      const set = await make({})
      await putLineItem({ entity_status: 'PAUSED' })(set)
      await funding('entity_status', 'PAUSED')(set)
      const both = not('PAUSED', 'PAUSED_BY_ADVERTISER', 'FUNDING_PROBLEM')
      assert.deepEqual(await shown(set), [both, both])
      await ann.delete(`/promoted_posts/${set.promotedId}`)
      const all = not('UNKNOWN', 'PAUSED_BY_ADVERTISER', 'INCOMPLETE', 'FUNDING_PROBLEM')
      assert.deepEqual(await shown(set), [all, all])
    })

    test('a new campaign that is paused says both, as the reference shows it', async () => {
      const { id } = await ann.advertiser.campaign({ entity_status: 'PAUSED' })
      assert.deepEqual(
        standing(dataOf(await ann.get(`/campaigns/${id}`))),
        not('UNKNOWN', 'PAUSED_BY_ADVERTISER', 'INCOMPLETE'),
      )
    })

    test('a campaign is shown when one of its line items is, and says why when none is', async () => {
      const set = await make({})
      const { campaignId: campaign_id } = set
      const campaign = async () => standing(dataOf(await ann.get(`/campaigns/${campaign_id}`)))
      await ann.advertiser.lineItem({ campaign_id, entity_status: 'DRAFT' })
      const empty = await ann.advertiser.lineItem({ campaign_id })
      assert.deepEqual(await campaign(), RUNNING)
      await putLineItem({ entity_status: 'PAUSED' })(set)
      // What is not finished says nothing about a campaign that has something finished.
      assert.deepEqual(await campaign(), not('PAUSED', 'PAUSED_BY_ADVERTISER'))
      await show({ ...set, lineItemId: empty.id })
      assert.deepEqual(await campaign(), RUNNING)
      const later = new Date(opened.plaza.clock.now() + HOUR_MS).toISOString()
      await ann.put(`/line_items/${empty.id}`, { start_time: later })
      assert.deepEqual(await campaign(), not('UNKNOWN', 'PAUSED_BY_ADVERTISER', 'STARTS_IN_FUTURE'))
      opened.plaza.clock.advance(HOUR_MS)
      assert.deepEqual(await campaign(), RUNNING)
    })

    test('promoted accounts and media creatives are something to show, too', async () => {
      const { id } = await ann.advertiser.lineItem({
        objective: 'FOLLOWERS',
        product_type: 'PROMOTED_ACCOUNT',
      })
      const is = async () => standing(dataOf(await ann.get(`/line_items/${id}`)))
      assert.deepEqual(await is(), not('UNKNOWN', 'INCOMPLETE'))
      await ann.post('/promoted_accounts', { line_item_id: id, user_id: ann.person.id })
      assert.deepEqual(await is(), RUNNING)
    })

    describe('what is promoted must be shown', () => {
      let bob: Person
      /** Reads the account while its owner is suspended. */
      let analyst: Person
      beforeEach(async () => {
        ann = await Desk.open(opened.plaza, client)
        bob = await newPerson(opened.plaza)
        analyst = await newPerson(opened.plaza)
        const access = {
          accountId: ann.accountId,
          userId: analyst.id,
          roles: ['ANALYST'] as const,
          now: opened.plaza.clock.now(),
        }
        await opened.plaza.context.store.write((tx) => grantAccess(tx, access))
      })

      const INCOMPLETE = not('UNKNOWN', 'INCOMPLETE')
      const is = async ({ lineItemId, campaignId }: Promoting) => {
        const read = async (path: string) =>
          standing(dataOf(await ann.send('GET', path, undefined, analyst.keys)))
        const lineItem = await read(`/line_items/${lineItemId}`)
        assert.deepEqual(await read(`/campaigns/${campaignId}`), lineItem)
        return lineItem
      }
      const write = (work: (tx: Tx) => Promise<unknown>) => opened.plaza.context.store.write(work)
      const suspended = (who: { id: string }, suspended: boolean) =>
        write((tx) => setSuspended(tx, { kind: 'user', id: who.id, suspended }))
      const protect = (who: { id: string }, isProtected: boolean) =>
        write((tx) => updateProfile(tx, who.id, { protected: Number(isProtected) }))
      const deletePost = async (post: string, author: Person) =>
        done(await client.signed('DELETE', `/2/posts/${post}`, author.keys))
      const promotable = (who: { id: string }, visibility: number) =>
        write((tx) => tx.run(changePromotable, { account: ann.accountId, user: who.id, visibility }))

      interface Promoting {
        lineItemId: string
        campaignId: string
        /** The post that the caller named. */
        post: string
      }
      async function promoting(authorId: string, values = {}): Promise<Promoting> {
        const { id: campaignId } = await ann.advertiser.campaign()
        const { id: lineItemId } = await ann.advertiser.lineItem({ campaign_id: campaignId, ...values })
        const { id: post } = await makePost(opened.plaza.context, { authorId })
        const made = await ann.post('/promoted_posts', { line_item_id: lineItemId, post_ids: post })
        assert.equal(made.status, 201, made.text)
        const promoted = { lineItemId, campaignId, post }
        assert.deepEqual(await is(promoted), RUNNING)
        return promoted
      }

      test('a deleted post is not', async () => {
        const promoted = await promoting(ann.person.id)
        await deletePost(promoted.post, ann.person)
        assert.deepEqual(await is(promoted), INCOMPLETE)
        const [listed] = listOf(await ann.get(`/line_items?line_item_ids=${promoted.lineItemId}`))
        assert.deepEqual(standing(listed as Data), INCOMPLETE)
        // Another one takes its place.
        const { id } = await makePost(opened.plaza.context, { authorId: ann.person.id })
        await ann.post('/promoted_posts', { line_item_id: promoted.lineItemId, post_ids: id })
        assert.deepEqual(await is(promoted), RUNNING)
      })

      test('a post that the operator has dropped is not, until it is brought back', async () => {
        const promoted = await promoting(ann.person.id)
        for (const dropped of [true, false]) {
          await write((tx) => changePost(tx, promoted.post, { dropped }))
          assert.deepEqual(await is(promoted), dropped ? INCOMPLETE : RUNNING)
        }
      })

      test('a post of a suspended or removed user is not, and one of a protected user of the account is', async () => {
        const promoted = await promoting(ann.person.id)
        for (const [change, off, on] of [
          [suspended, true, false],
          [promotable, DELETED, VISIBLE],
        ] as [(who: Person, value: unknown) => Promise<unknown>, unknown, unknown][]) {
          await change(ann.person, off)
          assert.deepEqual(await is(promoted), INCOMPLETE)
          await change(ann.person, on)
          assert.deepEqual(await is(promoted), RUNNING)
        }
        await protect(ann.person, true)
        assert.deepEqual(await is(promoted), RUNNING)
      })

      test('an edited post is, in its new version', async () => {
        const promoted = await promoting(ann.person.id)
        await write(async (tx) => {
          const [previous] = await tx.all(versionsOf, { first: promoted.post })
          const row = {
            authorId: ann.person.id,
            environment: 'production',
            text: 'Edited',
            previous: previous as PostRow,
          }
          const rest = {
            nullcast: false,
            replySettings: 'everyone',
            appId: '1',
            contributorId: null,
          } as const
          await insertPost(tx, { ...row, ...rest }, opened.plaza.context)
        })
        assert.deepEqual(await is(promoted), RUNNING)
        await deletePost(promoted.post, ann.person)
        assert.deepEqual(await is(promoted), INCOMPLETE)
      })

      test('a repost is as long as its original is public and its author may be promoted', async () => {
        await letRepost(opened.plaza.context, ann.advertiser, bob.id)
        const promoted = await promoting(bob.id)
        for (const [change, off, on] of [
          [suspended, true, false],
          [protect, true, false],
          [promotable, DELETED, VISIBLE],
        ] as [(who: Person, value: unknown) => Promise<unknown>, unknown, unknown][]) {
          await change(bob, off)
          assert.deepEqual(await is(promoted), INCOMPLETE, change.name)
          await change(bob, on)
          assert.deepEqual(await is(promoted), RUNNING)
        }
        await deletePost(promoted.post, bob)
        assert.deepEqual(await is(promoted), INCOMPLETE)
      })

      test('a promoted account is as long as the user may be promoted and is not suspended', async () => {
        const { id: campaignId } = await ann.advertiser.campaign()
        const { id: lineItemId } = await ann.advertiser.lineItem({
          campaign_id: campaignId,
          objective: 'FOLLOWERS',
          product_type: 'PROMOTED_ACCOUNT',
        })
        done(await ann.post('/promoted_accounts', { line_item_id: lineItemId, user_id: ann.person.id }))
        const promoted = { lineItemId, campaignId, post: '' }
        assert.deepEqual(await is(promoted), RUNNING)
        await suspended(ann.person, true)
        assert.deepEqual(await is(promoted), INCOMPLETE)
        await suspended(ann.person, false)
        await promotable(ann.person, DELETED)
        assert.deepEqual(await is(promoted), INCOMPLETE)
      })
    })

    test('what an audience is targeted by agrees with the line items', async () => {
      const audience = (await ann.advertiser.make(customAudiences, { name: 'Readers' })).id
      const running = await make({})
      const search = await make({ lineItem: () => ({ placements: ['SERVICE_SEARCH'] }) })
      const dear = await make({})
      await putCampaign({ daily_budget_amount_local_micro: '990000' })(dear)
      const sets = [running, search, dear]
      for (const { lineItemId } of sets) await aim(lineItemId, audience)
      const targeted = async (query: string) => {
        const reply = await ann.get(`/custom_audiences/${audience}/targeted${query}`)
        return (listOf(reply) as unknown as { line_items: Data[] }[]).flatMap((one) => one.line_items)
      }
      const all = await targeted('?with_active=false')
      assert.equal(all.length, 3)
      for (const { id, servable } of all)
        assert.equal(servable, dataOf(await ann.get(`/line_items/${id}`)).servable)
      assert.deepEqual(
        (await targeted('')).map(({ id }) => id),
        [running.lineItemId],
      )
    })

    test('a page takes as many queries as one entity', async () => {
      await make({})
      const { store: counted } = opened.plaza.context
      const { all, first } = counted
      let queries = 0
      // What follows events reads beside the call.
      const count = (name: string) => {
        if (/^list_|campaign|lineitem/i.test(name)) queries++
      }
      counted.all = ((...given: Parameters<typeof all>) => {
        count(given[0].name)
        return all.apply(counted, given)
      }) as typeof all
      counted.first = ((...given: Parameters<typeof first>) => {
        count(given[0].name)
        return first.apply(counted, given)
      }) as typeof first
      const cost = async (path: string) => {
        queries = 0
        assert.equal((await ann.get(path)).status, 200)
        return queries
      }
      try {
        const one = [await cost('/line_items?count=1'), await cost('/campaigns?count=1')]
        for (let made = 0; made < 20; made++) await make({})
        assert.deepEqual([await cost('/line_items'), await cost('/campaigns')], one)
        assert.equal(listOf(await ann.get('/line_items')).length, 21)
      } finally {
        Object.assign(counted, { all, first })
      }
    })
  })
}
