import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settled } from '../../test/support/until.ts'
import { ManualClock } from '../common/clock.ts'
import { type Job, startJobs } from './jobs.ts'

/** A job that is under way until it is let go, and what became of it. */
function heldJob(everySeconds = 60) {
  const seen = { begun: 0, running: 0, most: 0, ended: 0 }
  const held: (() => void)[] = []
  const job: Job = {
    name: 'held',
    everySeconds,
    async run() {
      seen.begun++
      seen.most = Math.max(seen.most, ++seen.running)
      await new Promise<void>((resolve) => held.push(resolve))
      seen.running--
      seen.ended++
    },
  }
  return { job, seen, letGo: () => held.shift()?.() }
}

test('a job runs each time its interval has passed on the clock, and not before', async () => {
  const clock = new ManualClock(0)
  let runs = 0
  const job = { name: 'count', everySeconds: 60, run: async () => void runs++ }
  const jobs = startJobs([job], clock, assert.fail)
  const counts: number[] = []
  for (const ms of [59_999, 1, 59_999, 1, 600_000]) {
    clock.advance(ms)
    await settled()
    counts.push(runs)
  }
  assert.deepEqual(counts, [0, 1, 1, 2, 3])
  await jobs.stop()
  clock.advance(60_000)
  await settled()
  assert.deepEqual([runs, clock.waits], [3, 0])
})

test('a job that was asked for in between is not due before its interval has passed again', async () => {
  const clock = new ManualClock(0)
  let runs = 0
  const job = { name: 'count', everySeconds: 60, run: async () => void runs++ }
  const jobs = startJobs([job], clock, assert.fail)
  clock.advance(30_000)
  await jobs.run('count')
  const counts: number[] = []
  for (const ms of [30_000, 29_999, 1]) {
    clock.advance(ms)
    await settled()
    counts.push(runs)
  }
  assert.deepEqual(counts, [1, 1, 2])
  await jobs.stop()
})

test('jobs that are not periodic run only when they are asked for', async () => {
  const clock = new ManualClock(0)
  let runs = 0
  const job = { name: 'count', everySeconds: 60, run: async () => void runs++ }
  const jobs = startJobs([job], clock, assert.fail, { periodic: false })
  clock.advance(600_000)
  await settled()
  assert.equal(runs, 0)
  jobs.wake('count')
  await jobs.run('count')
  assert.equal(runs, 1)
  await jobs.stop()
})

test('a job never runs twice at once: a second call joins the first', async () => {
  const { job, seen, letGo } = heldJob(1)
  const clock = new ManualClock(0)
  const jobs = startJobs([job], clock, assert.fail)
  const calls = Promise.all([jobs.run('held'), jobs.run('held'), jobs.run('held')])
  clock.advance(1_000)
  await settled()
  letGo()
  await calls
  assert.deepEqual([seen.begun, seen.most], [1, 1])
  await jobs.stop()
})

test('a job that fails is reported and runs again later', async () => {
  const failures: string[] = []
  let runs = 0
  const job = {
    name: 'fails',
    everySeconds: 1,
    async run() {
      if (runs++ === 0) throw new Error('bad day')
    },
  }
  const clock = new ManualClock(0)
  const jobs = startJobs([job], clock, (name, error) => failures.push(`${name}: ${(error as Error).message}`))
  await jobs.run('fails')
  clock.advance(1_000)
  await settled()
  assert.deepEqual([failures, runs], [['fails: bad day'], 2])
  await jobs.stop()
})

test('stopping waits for a run that is under way', async () => {
  const { job, seen, letGo } = heldJob()
  const jobs = startJobs([job], new ManualClock(0), assert.fail)
  void jobs.run('held')
  let stopped = false
  const stopping = jobs.stop().then(() => {
    stopped = true
  })
  await settled()
  assert.equal(stopped, false)
  letGo()
  await stopping
  assert.equal(seen.ended, 1)
})

test('a job that is woken runs at once, and once more when it was under way', async () => {
  const { job, seen, letGo } = heldJob()
  const jobs = startJobs([job], new ManualClock(0), assert.fail)
  jobs.wake('held')
  assert.equal(seen.begun, 1)
  jobs.wake('held')
  jobs.wake('held')
  letGo()
  await settled()
  assert.equal(seen.begun, 2)
  letGo()
  await settled()
  assert.deepEqual(seen, { begun: 2, running: 0, most: 1, ended: 2 })
  jobs.wake('no such job')
  await jobs.stop()
})

test('long work is told to stop, and is not woken again', async () => {
  let runs = 0
  const job = {
    name: 'long',
    everySeconds: 60,
    async run(stopping: AbortSignal) {
      runs++
      await new Promise((resolve) => stopping.addEventListener('abort', resolve))
    },
  }
  const jobs = startJobs([job], new ManualClock(0), assert.fail)
  jobs.wake('long')
  jobs.wake('long')
  await jobs.stop()
  jobs.wake('long')
  assert.equal(runs, 1)
})
