import { broadcastChatMessage } from '../../../domain/broadcasts/chat/object.ts'
import { broadcast } from '../../../domain/broadcasts/object.ts'
import { chatConversation, chatMessageEvent, publicKey } from '../../../domain/chat/objects.ts'
import { community } from '../../../domain/communities/object.ts'
import { dmEvent } from '../../../domain/direct-messages/object.ts'
import { list } from '../../../domain/lists/object.ts'
import { medium } from '../../../domain/media/object.ts'
import { news } from '../../../domain/news/object.ts'
import { note } from '../../../domain/notes/object.ts'
import { likeWithPostAuthor } from '../../../domain/posts/like-object.ts'
import { post } from '../../../domain/posts/object.ts'
import { place } from '../../../domain/posts/place-object.ts'
import { poll } from '../../../domain/posts/poll-object.ts'
import { space } from '../../../domain/spaces/object.ts'
import { topic } from '../../../domain/spaces/topics.ts'
import { user } from '../../../domain/users/object.ts'
import { objectGraph } from '../../../platform/objects/graph.ts'

/**
 * The objects of the core API whose members are selected with fields, and that refer to each other
 * with expansions.
 */
export const objects = objectGraph([
  broadcast,
  broadcastChatMessage,
  chatConversation,
  chatMessageEvent,
  community,
  dmEvent,
  likeWithPostAuthor,
  list,
  medium,
  news,
  note,
  place,
  poll,
  post,
  publicKey,
  space,
  topic,
  user,
])
