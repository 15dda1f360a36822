import { medium } from '../../media/object.ts'
import { objectGraph } from '../../objects/graph.ts'
import { post } from '../../posts/object.ts'
import { place } from '../../posts/place-object.ts'
import { poll } from '../../posts/poll-object.ts'
import { user } from '../../users/object.ts'

/** The objects of the core API that choose their members with fields and refer to each other with expansions. */
export const objects = objectGraph([medium, place, poll, post, user])
