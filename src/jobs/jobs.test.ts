import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { ManualClock } from '../kit/clock.ts'
import { startJobs } from './jobs.ts'

test('a job runs when its interval has passed on the clock, and not before', async () => {
  const clock = new ManualClock(0)
  let runs = 0
  const job = { name: 'count', everySeconds: 60, run: async () => void runs++ }
  const jobs = startJobs([job], clock, assert.fail)
  await wait(1_200)
  assert.equal(runs, 0)
  clock.advance(60_000)
  await wait(1_200)
  assert.equal(runs, 1)
  await jobs.stop()
})

test('a job never runs twice at once: a second call joins the first', async () => {
  let running = 0
  let most = 0
  const job = {
    name: 'slow',
    everySeconds: 1,
    async run() {
      most = Math.max(most, ++running)
      await wait(20)
      running--
    },
  }
  const jobs = startJobs([job], new ManualClock(0), assert.fail)
  await Promise.all([jobs.run('slow'), jobs.run('slow'), jobs.run('slow')])
  assert.equal(most, 1)
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
  const jobs = startJobs([job], new ManualClock(0), (name, error) =>
    failures.push(`${name}: ${(error as Error).message}`),
  )
  await jobs.run('fails')
  await jobs.run('fails')
  assert.deepEqual([failures, runs], [['fails: bad day'], 2])
  await jobs.stop()
})

test('stopping waits for a run that is under way', async () => {
  let done = false
  const job = {
    name: 'slow',
    everySeconds: 1,
    async run() {
      await wait(30)
      done = true
    },
  }
  const jobs = startJobs([job], new ManualClock(0), assert.fail)
  void jobs.run('slow')
  await jobs.stop()
  assert.ok(done)
})

test('a job that is woken runs at once, and once more when it was under way', async () => {
  let runs = 0
  const job = {
    name: 'work',
    everySeconds: 60,
    async run() {
      runs++
      await wait(20)
    },
  }
  const jobs = startJobs([job], new ManualClock(0), assert.fail)
  jobs.wake('work')
  assert.equal(runs, 1)
  jobs.wake('work')
  jobs.wake('work')
  await jobs.run('work')
  await jobs.run('work')
  assert.equal(runs, 2)
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
      while (!stopping.aborted) await wait(5)
    },
  }
  const jobs = startJobs([job], new ManualClock(0), assert.fail)
  jobs.wake('long')
  jobs.wake('long')
  await jobs.stop()
  jobs.wake('long')
  assert.equal(runs, 1)
})
