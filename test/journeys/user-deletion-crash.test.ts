import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { runPlaza, startCli, stopCli, temporaryFolder, until } from './cli.fixture.ts'

const POSTS = 1_200

/** One row of the database, which a running Plaza may write. */
function rowOf(data: string, sql: string, ...values: string[]): Record<string, unknown> | undefined {
  const database = new DatabaseSync(join(data, 'plaza.db'), { readOnly: true, timeout: 5_000 })
  try {
    return database.prepare(sql).get(...values)
  } finally {
    database.close()
  }
}

test('a user who is being deleted when Plaza is killed is deleted after the next start', async (t) => {
  const folder = temporaryFolder(t)
  const args = ['--seed-population=0']
  await stopCli(await startCli(t, { folder, args }))
  const data = join(folder, 'data')
  const flag = `--data=${data}`
  const generated = await runPlaza(t, [
    ...['generate', 'posts', `--count=${POSTS}`, '--authors=2', '--days=3', flag],
  ])
  assert.equal(generated.code, 0, generated.stderr)
  const most = `select author_id as id, count(*) as posts from posts where app_id = '0'
    group by author_id order by 2 desc limit 1`
  const user = String(rowOf(data, most)?.id)
  const numberOf = (what: string, condition: string) =>
    Number(rowOf(data, `select count(*) as count from ${what} where ${condition}`, user)?.count)
  const all = numberOf('posts', 'author_id = ?')

  // Without a server, the user is only marked.
  const deleted = await runPlaza(t, ['user', 'delete', user, flag])
  assert.equal(deleted.code, 0, deleted.stderr)
  assert.match(deleted.stdout, new RegExp(`^User @\\w+ \\(${user}\\) is deleted\\.\n$`))
  const again = await runPlaza(t, ['user', 'delete', user, flag])
  assert.deepEqual(
    [again.code, again.stderr],
    [1, `plaza: There is no user ${user}. "plaza user list" lists the users.\n`],
  )
  assert.equal(numberOf('posts', 'author_id = ? and deleted = 0'), all)

  rmSync(join(folder, 'ready.json'), { force: true })
  const killed = await startCli(t, { folder, args })
  await until(killed, 'some posts are gone', () => numberOf('posts', 'author_id = ? and deleted = 1') > 0)
  await stopCli(killed, 'SIGKILL')
  const left = numberOf('posts', 'author_id = ? and deleted = 0')

  rmSync(join(folder, 'ready.json'), { force: true })
  const plaza = await startCli(t, { folder, args })
  const waiting = "kind in ('delete user', 'remove reactions to post') and ? <> ''"
  await until(plaza, 'all posts are gone', () => numberOf('tasks', waiting) === 0)
  assert.equal(numberOf('posts', 'author_id = ? and deleted = 0'), 0)
  const advanced = await runPlaza(t, ['clock', 'advance', '61s', flag])
  assert.equal(advanced.code, 0, advanced.stderr)
  await until(plaza, 'the user is gone', () => numberOf('users', 'id = ?') === 0)
  assert.equal(numberOf('posts', 'author_id = ?'), 0)
  // Each post has one event, whatever was done again.
  const events = numberOf('events', "kind = 'post.deleted' and json_extract(data, '$.author_id') = ?")
  assert.equal(events, all)
  assert.ok(left < all, `${left} of ${all}`)
  await stopCli(plaza)
  const checked = await runPlaza(t, ['check', flag])
  assert.equal(checked.code, 0, checked.stdout)
})
