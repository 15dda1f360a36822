import { parseJson } from '../../../platform/common/exact-json.ts'
import { activityEmitted } from '../events.ts'
import {
  type Activity,
  type ActivityKind,
  type ActivitySource,
  type Direction,
  type Subject,
  sourceOf,
} from '../kind.ts'

/** Activities emitted by hand. They are processed like those that happened. */
export const emittedSource = (kindNamed: (name: string) => ActivityKind | undefined): ActivitySource =>
  sourceOf(activityEmitted, ({ kind: name, user_id, text, app_id, direction, facts, over }, event) => {
    const kind = kindNamed(name)
    if (kind === undefined) return []
    const subjects: Readonly<Record<ActivityKind['filter'], Subject>> = {
      user: { user: user_id },
      keyword: { texts: [text] },
      none: { app: app_id },
    }
    return [
      {
        kind,
        event,
        subject: subjects[kind.filter],
        direction: direction === '' ? undefined : (direction as Direction),
        facts: parseJson(facts),
        over: parseJson(over) as NonNullable<Activity['over']>,
      },
    ]
  })
