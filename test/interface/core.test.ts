import { accountActivity } from './areas/account-activity.ts'
import { activity } from './areas/activity.ts'
import { authentication } from './areas/authentication.ts'
import { caps } from './areas/caps.ts'
import { compliance } from './areas/compliance.ts'
import { limits } from './areas/limits.ts'
import { oauth } from './areas/oauth.ts'
import { proxy } from './areas/proxy.ts'
import { rules } from './areas/rules.ts'
import { streams } from './areas/streams.ts'
import { transport } from './areas/transport.ts'
import { userTokens } from './areas/user-tokens.ts'
import { webhooks } from './areas/webhooks.ts'
import { interfaceTests } from './suite.ts'

/** Webhooks, streams, activities and OAuth, and what all APIs share. */
interfaceTests('core', [
  transport,
  webhooks,
  accountActivity,
  activity,
  rules,
  oauth,
  userTokens,
  authentication,
  streams,
  compliance,
  caps,
  limits,
  proxy,
])
