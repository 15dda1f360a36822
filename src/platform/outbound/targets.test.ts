import assert from 'node:assert/strict'
import { createServer } from 'node:https'
import { connect } from 'node:net'
import { before, test } from 'node:test'
import { until } from '../../../test/support/until.ts'
import { ManualClock } from '../common/clock.ts'
import { classify } from './address.ts'
import {
  type Authority,
  createAuthority,
  deadSocket,
  listen,
  outcomeOf,
  script,
  setTrap,
  spyOnSockets,
} from './outbound.fixture.ts'
import { createOutbound, type OutboundOptions } from './outbound.ts'
import { type Target, targets } from './targets.corpus.ts'

const hardened: OutboundOptions = {
  allow: [],
  timeoutMs: 5_000,
  maxBytes: 65_536,
  maxConcurrent: 4,
  userAgent: 'plaza-test',
  clock: new ManualClock(0),
}

let authority: Authority
before(async () => {
  authority = await createAuthority()
})

function isPublic(answer: readonly string[]): boolean {
  return answer.length > 0 && answer.every((address) => classify(address) === 'public')
}

/**
 * Targets that may be connected to, because one of their answers contains only public addresses.
 */
function leadsOut(target: Target): boolean {
  return target.answers?.some(isPublic) ?? false
}

test('the corpus names every target once and is large enough to mean something', () => {
  assert.equal(new Set(targets.map((target) => target.url)).size, targets.length)
  assert.ok(targets.length >= 180, `${targets.length} targets`)
})

test('not one connection is opened to any target of the corpus in the hardened setting', async (t) => {
  const trap = await setTrap(t)
  const sockets = spyOnSockets(t)
  const mistakes: string[] = []
  for (const target of targets.filter((one) => !leadsOut(one))) {
    const { resolve } = script(target.answers ?? [['127.0.0.1']])
    // Every connection would reach the trap. A real port 443 could not be used on every machine.
    const outbound = createOutbound({
      ...hardened,
      resolve,
      dial: ({ address }) => connect(trap.port, address),
    })
    for (const method of ['GET', 'POST'] as const) {
      const outcome = await outcomeOf(outbound, { method, url: target.url })
      if (outcome.kind !== 'rejected')
        mistakes.push(`${target.note}: ${target.url} ${JSON.stringify(outcome)}`)
    }
    await outbound.close()
  }
  assert.deepEqual(mistakes, [])
  assert.equal(sockets.opened(), 0)
  assert.equal(trap.touched(), 0)
})

test('the same holds for the connections that are opened when nothing is injected but the resolver', async (t) => {
  const sockets = spyOnSockets(t)
  for (const target of targets.filter((one) => !leadsOut(one))) {
    const { resolve } = script(target.answers ?? [['127.0.0.1']])
    const outbound = createOutbound({ ...hardened, resolve })
    const outcome = await outcomeOf(outbound, { method: 'GET', url: target.url })
    assert.equal(outcome.kind, 'rejected', `${target.note}: ${target.url}`)
    await outbound.close()
  }
  assert.equal(sockets.opened(), 0)
})

test('a name that answers differently each time is judged by each answer and dialled only where it was judged', async (t) => {
  const trap = await setTrap(t)
  const sockets = spyOnSockets(t)
  const rebinding = targets.filter((target) => leadsOut(target) && target.redirect === undefined)
  assert.ok(rebinding.length >= 4)
  for (const target of rebinding) {
    const answers = target.answers ?? []
    const dialled: string[] = []
    const outbound = createOutbound({
      ...hardened,
      resolve: script(answers).resolve,
      dial: ({ address }) => {
        dialled.push(address)
        return classify(address) === 'public' ? deadSocket() : connect(trap.port, address)
      },
    })
    const rounds = [...answers, answers.at(-1) ?? []]
    for (const answer of rounds) {
      dialled.length = 0
      const outcome = await outcomeOf(outbound, { method: 'POST', url: target.url, body: '{}' })
      assert.equal(outcome.kind, isPublic(answer) ? 'unreachable' : 'rejected', `${target.note}: ${answer}`)
      assert.deepEqual(dialled, isPublic(answer) ? answer : [], target.note)
    }
    await outbound.close()
  }
  assert.equal(sockets.opened(), 0)
  assert.equal(trap.touched(), 0)
})

test('a redirect to an internal address is reported and never followed', async (t) => {
  const trap = await setTrap(t)
  const redirecting = targets.filter((target) => target.redirect !== undefined)
  assert.ok(redirecting.length >= 8)
  let location = ''
  const credentials = await authority.issue(redirecting.map((target) => new URL(target.url).hostname))
  let served = 0
  const port = await listen(
    t,
    createServer(credentials, (_, response) => {
      served++
      response.writeHead(served % 2 === 0 ? 302 : 307, { location }).end()
    }),
  )
  const sockets = spyOnSockets(t)
  for (const target of redirecting) {
    location = target.redirect?.replace('127.0.0.1', `127.0.0.1:${trap.port}`) ?? ''
    const outbound = createOutbound({
      ...hardened,
      ca: [authority.cert],
      resolve: script(target.answers ?? []).resolve,
      dial: ({ address }) => {
        // The public host of this test is on loopback and only pretends to be public.
        const socket = connect(port, '127.0.0.1')
        Object.defineProperty(socket, 'remoteAddress', { value: address })
        return socket
      },
    })
    const outcome = await outcomeOf(outbound, { method: 'GET', url: target.url })
    assert.equal(outcome.kind, 'answered', `${target.note}: ${JSON.stringify(outcome)}`)
    assert.match(String(outcome.kind === 'answered' && outcome.status), /^30[27]$/)
    await outbound.close()
  }
  assert.equal(served, redirecting.length)
  assert.equal(sockets.opened(), redirecting.length)
  assert.equal(trap.touched(), 0)
})

test('the trap and the spy do notice a connection when loopback is allowed', async (t) => {
  const trap = await setTrap(t)
  const sockets = spyOnSockets(t)
  const clock = new ManualClock(0)
  const outbound = createOutbound({ ...hardened, allow: ['127.0.0.0/8'], clock })
  const sending = outcomeOf(outbound, { method: 'GET', url: `http://127.0.0.1:${trap.port}/` })
  await until('the trap', () => trap.touched() === 1)
  clock.advance(hardened.timeoutMs)
  assert.deepEqual(await sending, { kind: 'timeout' })
  await outbound.close()
  assert.equal(sockets.opened(), 1)
  assert.equal(trap.touched(), 1)
})
