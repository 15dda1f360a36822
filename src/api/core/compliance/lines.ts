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

export const PostLine = closedObject({
  data: closedObject({
    delete: Type.Optional(PostEvent),
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

export const LabelLine = closedObject({
  data: closedObject({
    public_post_notice: closedObject({
      post,
      event_type: Type.String({ description: 'Kind of the label: `community_note`.' }),
      application: choice(['apply', 'remove'], 'Whether the post has it from now on.', 'LabelApplication'),
      event_at,
      label_title: Type.Optional(Type.String({ description: 'Title of the label.' })),
      details: Type.Optional(Type.String({ description: 'Text of the note.' })),
    }),
  }),
})
