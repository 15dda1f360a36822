import { Type } from 'typebox'
import { removePlacesOf } from '../../../domain/posts/standing.ts'
import { boundOf } from '../../../platform/common/ids.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { component, id } from '../../../platform/http/schema.ts'
import { theUser } from '../../../workbench/create/find-user.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { userName } from './user.ts'

const RemovedPlaces = component(
  'RemovedPlaces',
  Type.Object(
    { posts: Type.Integer({ minimum: 0, description: 'Posts that had a place or a point.' }) },
    { additionalProperties: false },
  ),
)

/** POST /admin/v1/users/{user}/remove_places: removes where a user has written posts. */
export const removePlacesOfUser = dataEndpoint({
  ...ADMIN,
  id: 'removePlacesOfUser',
  method: 'POST',
  path: '/admin/v1/users/{user}/remove_places',
  summary: 'Remove the places of the posts of a user',
  description:
    'Removes places and points from the posts of a user up to a post, by default from all. Compliance streams send `scrub_geo`. Repeating it continues an interrupted call.',
  params: { user: userName('Id or screen name.') },
  optionalBody: true,
  body: Type.Object(
    { up_to_post_id: Type.Optional(id('The last post; by default the newest one.')) },
    { additionalProperties: false },
  ),
  reply: Type.Object({ data: RemovedPlaces }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: { params: { user: 'ann' }, body: {}, reply: { data: { posts: 3 } } },
  async handle({ params, body }, { store, ids }) {
    const { id: userId } = await theUser(store, params.user)
    const upTo = body?.up_to_post_id ?? ids.next()
    const posts = await removePlacesOf(store, { userId, upTo: boundOf(upTo) })
    return json({ data: { posts } })
  },
})
