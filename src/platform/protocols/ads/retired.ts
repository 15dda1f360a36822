import { type Message, msg } from '../../http/message.ts'

/** Resources of earlier versions, by regular expressions of their paths: what became of them. */
const RETIRED: readonly (readonly [path: RegExp, became: Message])[] = [
  [
    /^\/accounts\/[^/]+\/cards\/((video_)?website|(image|video)_(app_download|direct_message))(\/[^/]+)?$/,
    msg`cards of this kind ended with version 8: use cards`,
  ],
  [
    /^\/accounts\/[^/]+\/audience_summary$/,
    msg`audience_summary ended with version 8: use audience_estimate`,
  ],
  [/^\/accounts\/[^/]+\/reach_estimate$/, msg`reach_estimate has ended: use audience_estimate`],
  [/^\/accounts\/[^/]+\/website_tags(\/[^/]+)?$/, msg`website_tags has ended: use web_event_tags`],
  [
    /^\/accounts\/[^/]+\/(recommendations|auction_insights|scoped_timeline)(\/[^/]+)?$/,
    msg`this resource has ended, and nothing replaces it`,
  ],
  [
    /^\/(insights\/accounts\/|targeting_criteria\/tv_(channels|genres)$)/,
    msg`this resource has ended, and nothing replaces it`,
  ],
]

/** What became of the resource of an unknown path; undefined for one that never was. */
export function retiredPath(target: string): Message | undefined {
  const [, path = ''] = /^\/\d+(\/[^?]*)/.exec(target) ?? []
  const became = RETIRED.find(([pattern]) => pattern.test(path))?.[1]
  return became && msg`No such route: ${became}`
}
