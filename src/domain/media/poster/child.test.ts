import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ProcessLimits, runLimited } from './child.ts'

const LIMITS: ProcessLimits = { cpuSeconds: 60, memoryBytes: 2 ** 30, outputBytes: 1_000 }
const going = new AbortController().signal
const run = (script: string, limits: Partial<ProcessLimits> = {}, signal = going) =>
  runLimited(['/bin/sh', '-c', script], { ...LIMITS, ...limits }, signal)

test('the output of a program is returned byte for byte', async () => {
  assert.deepEqual(await run("printf '\\377\\000a'"), Buffer.from([0xff, 0, 0x61]))
})

test('it has neither environment nor input', async () => {
  process.env.PLAZA_TEST_SECRET = 'secret'
  assert.equal((await run('echo "$PLAZA_TEST_SECRET"; cat')).toString(), '\n')
  delete process.env.PLAZA_TEST_SECRET
})

test('a failure is an error with what the program said of it, as far as it is short', async () => {
  await assert.rejects(run('echo no such video >&2; exit 3'), {
    message: 'it ended with status 3: no such video',
  })
  await assert.rejects(run('head -c 100000 /dev/zero | tr "\\000" e >&2; exit 1'), ({ message }: Error) => {
    assert.equal(message, `it ended with status 1: ${'e'.repeat(1_000)}`)
    return true
  })
})

test('a program that is not there is an error', async () => {
  await assert.rejects(runLimited(['/no/such/program'], LIMITS, going), /it ended with status 127/)
})

test('endless output ends it', async () => {
  await assert.rejects(run('while :; do echo more; done'), { message: 'it printed more than 1000 bytes' })
})

test('endless work ends it', async () => {
  await assert.rejects(run('while :; do :; done', { cpuSeconds: 1 }), /it ended with SIG(XCPU|KILL)/)
})

test('too much memory ends it', { skip: process.platform !== 'linux' }, async () => {
  // It must keep everything in memory, because `tail` prints the end of it.
  const script = 'head -c 200000000 /dev/zero | tail -c 200000000 > /dev/null && echo done'
  assert.equal((await run(script, { memoryBytes: 2 ** 31 })).toString(), 'done\n')
  await assert.rejects(run(script, { memoryBytes: 2 ** 26 }), /it ended with/)
})

test('it writes no file', async () => {
  await assert.rejects(run('echo content > /tmp/plaza-test-child-$$'), /it ended with/)
})

test('it ends when it is given up, before, at its start or later', async () => {
  const given = new Error('given up')
  await assert.rejects(run('exec sleep 86400', {}, AbortSignal.abort(given)), given)
  const stopping = new AbortController()
  const sleeping = run('exec sleep 86400', {}, stopping.signal)
  stopping.abort(given)
  await assert.rejects(sleeping, given)
})
