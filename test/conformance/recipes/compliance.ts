import { signedUrl, type UrlPurpose } from '../../../src/api/core/compliance/signed-url.ts'
import { createJob, dropJob } from '../../../src/domain/compliance/jobs.ts'
import { jobsOfApp, setJob } from '../../../src/domain/compliance/queries.ts'
import type { ComplianceJobRow } from '../../../src/domain/compliance/tables.ts'
import { LAST_ID } from '../../../src/platform/common/ids.ts'
import type { World } from '../world.ts'
import type { Recipe } from './recipe.ts'

/** An app has one job of a type that is not finished. */
const withoutJobs = ({ plaza: { context }, app }: World) =>
  context.store.write(async (tx) => {
    for (const type of ['posts', 'users'])
      for (const { id } of await tx.all(jobsOfApp, { app: app.id, type, before: LAST_ID, limit: 1_000 }))
        await dropJob(tx, id)
  })

async function aJob(world: World, more: Partial<ComplianceJobRow> = {}): Promise<ComplianceJobRow> {
  const { context } = world.plaza
  await withoutJobs(world)
  return context.store.write(async (tx) => {
    const job = await createJob(tx, { app: world.app.id, type: 'posts', resumable: true }, context)
    await tx.run(setJob, { ...job, ...more })
    return job
  })
}

const keyOf = ({ plaza: { context } }: World, { id }: ComplianceJobRow, purpose: UrlPurpose) =>
  signedUrl(id, purpose, context).split('/').at(-1) ?? ''

/** Calls of the endpoints of compliance jobs. */
export const complianceRecipes: Readonly<Record<string, Recipe>> = {
  async createComplianceJob(world) {
    await withoutJobs(world)
    return { json: { type: 'posts' } }
  },
  async listComplianceJobs(world) {
    await aJob(world)
    return { query: { type: 'posts' } }
  },
  getComplianceJob: async (world) => ({ params: { id: (await aJob(world)).id } }),
  uploadComplianceIds: async (world) => ({
    params: { upload_key: keyOf(world, await aJob(world), 'upload') },
  }),
  beginComplianceUpload: async (world) => ({
    params: { upload_key: keyOf(world, await aJob(world), 'upload') },
    headers: [['svc-resumable', 'start']],
  }),
  downloadComplianceResult: async (world) => ({
    params: { download_key: keyOf(world, await aJob(world, { status: 'complete' }), 'download') },
  }),
}
