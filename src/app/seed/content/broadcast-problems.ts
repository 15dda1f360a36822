import { MAX_CURRENT } from '../../../domain/broadcasts/broadcasts.ts'
import { isBlank } from '../../../platform/common/visible.ts'
import type { Seed } from '../schema.ts'
import { pointerOf, type SeedProblem } from '../problem.ts'
import type { Users } from '../known.ts'
import { timeProblems } from './time-problems.ts'
import { startOf } from './write-broadcasts.ts'

