import { Type } from 'typebox'
import { choice, closedComponent, closedObject, id, time } from '../../../platform/http/schema.ts'

// Lines of compliance streams (core reference, 07 sections 3 and 4). Each has one of the members.

const event_at = time('When it happened.')
const post = closedComponent('CompliancePost', { id: id('The post.'), author_id: id('Its author.') })
const user = closedComponent('ComplianceUser', { id: id('The user.') })
const PostEvent = closedComponent('PostComplianceEvent', {
  post,
  quote_post_id: Type.Optional(id('A post that quotes it.')),
  event_at,
})
const UserEvent = closedComponent('UserComplianceEvent', { user, event_at })

const withheld_in_countries = Type.Array(Type.String(), {
  minItems: 1,
  description: 'Countries, ISO 3166-1 alpha-2.',
})

export const PostLine = closedObject({
  data: closedObject({
    delete: Type.Optional(PostEvent),
    drop: Type.Optional(PostEvent),
    undrop: Type.Optional(PostEvent),
    withheld: Type.Optional(
      closedObject({
        post,
        quote_post_id: Type.Optional(id('A post that quotes it.')),
        withheld_in_countries,
        event_at,
      }),
    ),
    post_edit: Type.Optional(
      closedObject({
        post: closedObject({ id: id('The new version.') }),
        initial_post_id: id('The first version.'),
        edit_post_ids: Type.Array(id('A version.'), { minItems: 1, description: 'The oldest first.' }),
        event_at,
      }),
    ),
  }),
})

export const UserLine = closedObject({
  data: closedObject({
    user_delete: Type.Optional(UserEvent),
    user_protect: Type.Optional(UserEvent),
    user_unprotect: Type.Optional(UserEvent),
    user_suspend: Type.Optional(UserEvent),
    user_unsuspend: Type.Optional(UserEvent),
    user_withheld: Type.Optional(closedObject({ user, withheld_in_countries, event_at })),
    scrub_geo: Type.Optional(
      closedObject({ user, up_to_post_id: id('The last post without a place.'), event_at }),
    ),
    user_profile_modification: Type.Optional(
      closedObject({
        user,
        profile_field: Type.String({ description: 'The member of the profile, such as `profile.name`.' }),
        new_value: Type.String({ description: 'Its value; empty if it was removed.' }),
        event_at,
      }),
    ),
  }),
})

export const LikeLine = closedObject({
  data: closedObject({
    delete: closedObject({
      favorite: closedObject({
        id: id('The post that was liked.'),
        user_id: id('The user who took the like back.'),
      }),
      event_at,
    }),
  }),
})

const application = choice(
  ['apply', 'remove'],
  'Whether it holds for the post from now on.',
  'LabelApplication',
)

export const LabelLine = closedObject({
  data: closedObject({
    public_post_notice: Type.Optional(
      closedObject({
        post,
        event_type: Type.String({ description: 'Kind of the label: `community_note`.' }),
        application,
        event_at,
        label_title: Type.Optional(Type.String({ description: 'Title of the label.' })),
        details: Type.Optional(Type.String({ description: 'Text of the note.' })),
      }),
    ),
    public_post_unviewable: Type.Optional(closedObject({ post, application, event_at })),
  }),
})
