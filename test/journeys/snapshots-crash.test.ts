import assert from 'node:assert/strict'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { runPlaza, type Started, startCli, stopCli, temporaryFolder } from './cli.fixture.ts'

/** When the process is killed, after the call was sent: in different phases of it. */
const KILLED_AFTER_MS = [0, 15, 40, 80, 130, 200, 320]
const SNAPSHOT = 'kept'

/** A Plaza that is killed and started again. */
class Victim {
  readonly #t: TestContext
  readonly #folder: string
  #plaza: Started | undefined

  constructor(t: TestContext) {
    this.#t = t
    this.#folder = temporaryFolder(t)
  }

  get data(): string {
    return join(this.#folder, 'data')
  }

  async start(): Promise<void> {
    // It is written again once the server answers.
    rmSync(join(this.#folder, 'ready.json'), { force: true })
    this.#plaza = await startCli(this.#t, { folder: this.#folder })
  }

  get plaza(): Started {
    assert.ok(this.#plaza)
    return this.#plaza
  }

  async run(...args: string[]): Promise<string> {
    const ended = await runPlaza(this.#t, [...args, `--data=${this.data}`])
    assert.equal(ended.code, 0, `${args.join(' ')}\n${ended.stdout}${ended.stderr}`)
    return ended.stdout
  }

  admin(path: string, json: object = {}): Promise<Response> {
    return fetch(`${this.plaza.ready.console_url}/admin/v1${path}`, {
      method: 'POST',
      body: JSON.stringify(json),
      headers: { 'content-type': 'application/json' },
    })
  }

  async publish(text: string): Promise<string> {
    const reply = await this.run('request', 'POST', '/2/posts', '--body', JSON.stringify({ text }))
    return (JSON.parse(reply) as { data: { id: string } }).data.id
  }

  /** Those of some posts that exist. */
  async existing(...ids: string[]): Promise<string[]> {
    const reply = await this.run('request', 'GET', `/2/posts?ids=${ids.join(',')}`)
    return ((JSON.parse(reply) as { data?: { id: string }[] }).data ?? []).map(({ id }) => id)
  }
}

for (const [what, path, body] of [
  ['saves', '/snapshots', { name: SNAPSHOT, replace: true }],
  ['restores', `/snapshots/${SNAPSHOT}/restore`, {}],
] as const)
  test(`a process that is killed while it ${what} a snapshot leaves whole data and whole snapshots`, async (t) => {
    const victim = new Victim(t)
    await victim.start()
    const early = await victim.publish('before the snapshot')
    assert.equal((await victim.admin('/snapshots', { name: SNAPSHOT })).status, 201)
    let late = await victim.publish('after the snapshot')
    for (const killedAfterMs of KILLED_AFTER_MS) {
      const call = victim.admin(path, body).then(
        ({ status }) => status,
        () => 'killed',
      )
      await pause(killedAfterMs)
      await stopCli(victim.plaza, 'SIGKILL')
      const outcome = await call
      await victim.start()
      const found = await victim.existing(early, late)
      if (what === 'saves') assert.deepEqual(found, [early, late], `${killedAfterMs} ms`)
      else if (outcome === 200) assert.deepEqual(found, [early])
      else assert.ok([1, 2].includes(found.length) && found[0] === early, `${killedAfterMs} ms: ${found}`)
      if (!found.includes(late)) late = await victim.publish(`after ${killedAfterMs} ms`)
      assert.match(await victim.run('snapshot', 'list'), new RegExp(`^${SNAPSHOT}  saved`, 'm'))
      assert.deepEqual(
        readdirSync(join(victim.data, 'snapshots')).toSorted(),
        ['.seed', SNAPSHOT],
        'nothing unfinished is left',
      )
    }
    await victim.run('check')
    assert.equal((await victim.admin(`/snapshots/${SNAPSHOT}/restore`)).status, 200)
    assert.ok((await victim.existing(early, late)).includes(early))
    await victim.run('check')
  })
