import type { Module } from '../../platform/module.ts'
import { flexibleCounts } from './audiences/counting.ts'
import { memberRemoval } from './audiences/removal.ts'
import { cardRelease } from './cards/release.ts'
import type { ImageCheckDependencies } from './catalogs/images.ts'
import { catalogTasks } from './catalogs/work.ts'
import { deliveryTask } from './delivery/delivery.ts'
import type { AdsDependencies } from './dependencies.ts'
import { publication } from './scheduled-posts/work.ts'
import { jobRuns } from './stats-jobs/work.ts'

/** The background work of the advertising API. */
export const ads: Module<AdsDependencies & ImageCheckDependencies> = {
  tasks: (context) => [
    publication(context),
    cardRelease(),
    memberRemoval(context),
    flexibleCounts(context),
    ...catalogTasks(context),
    deliveryTask(context),
    jobRuns(context),
  ],
}
