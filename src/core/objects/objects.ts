import { dmEvent } from '../../direct-messages/object.ts'
import { medium } from '../../media/object.ts'
import { news } from '../../news/object.ts'
import { note } from '../../notes/object.ts'
import { objectGraph } from '../../objects/graph.ts'
import { post } from '../../posts/object.ts'
import { place } from '../../posts/place-object.ts'
import { poll } from '../../posts/poll-object.ts'
import { space } from '../../spaces/object.ts'
import { user } from '../../users/object.ts'

/**
 * The objects of the core API whose members are selected with fields, and that refer to each other with expansions.
 */
export const objects = objectGraph([dmEvent, medium, news, note, place, poll, post, space, user])
