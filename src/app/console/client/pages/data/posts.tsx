import type { JSX } from 'preact'
import { useLocation } from 'preact-iso'
import { call } from '../../api.ts'
import { plazaNow } from '../../clock.ts'
import { agoText, compactText, timeText } from '../../format.ts'
import { Icon, type IconName } from '../../icons.tsx'
import { Empty, Loading, Notes } from '../../parts/page.tsx'
import { useAction, useResource } from '../../resource.ts'
import { Avatar, Verified } from './avatar.tsx'
import { type Medium, type Post, readPosts, type ShownPosts, type User } from './model.ts'

interface PostsProps {
  /** A list of posts of the admin API. */
  readonly path: string
  readonly empty: string
  /** The post that a thread is opened at. */
  readonly open?: string
  /** Changes to read the list again. */
  readonly turn?: number
}

/** Posts as people see them. */
export function Posts({ path, empty, open, turn = 0 }: PostsProps): JSX.Element {
  const { data, error, reload } = useResource(`${path}#${turn}`, (key, signal) =>
    readPosts(key.slice(0, key.lastIndexOf('#')), signal),
  )
  if (!data) return error ? <Notes error={error} /> : <Loading />
  if (data.posts.length === 0) return <Empty>{empty}</Empty>
  return (
    <ol class="posts">
      {data.posts.map((post) => (
        <li key={post.id} class={post.id === open ? 'open' : ''}>
          <PostView post={post} shown={data} onChange={reload} />
        </li>
      ))}
    </ol>
  )
}

const UNKNOWN: User = {
  ...{ id: '0', screen_name: 'unknown', name: 'Unknown', description: '', location: '', url: null },
  ...{ profile_image_url: null, profile_banner_url: null, protected: false, verified: false },
  ...{ verified_type: 'none', subscription_type: 'None', suspended: false, created_at: '' },
  ...{ note_writer: null },
  ...{ followers_count: 0, following_count: 0, post_count: 0 },
}

interface PostProps {
  readonly post: Post
  readonly shown: ShownPosts
  readonly onChange: () => void
}

function PostView({ post, shown, onChange }: PostProps): JSX.Element {
  const reposter = shown.authors.get(post.author_id) ?? UNKNOWN
  const original = post.repost_of_post_id === null ? undefined : shown.others.get(post.repost_of_post_id)
  const one = original ?? post
  const author = shown.authors.get(one.author_id) ?? UNKNOWN
  const quoted = one.quote_post_id === null ? undefined : shown.others.get(one.quote_post_id)
  return (
    <article class="post-view" aria-label={`Post of ${author.name}`}>
      <Avatar user={author} />
      <div class="grow">
        {original && (
          <p class="hint">
            <Icon name="repost" /> {reposter.name} reposted
          </p>
        )}
        <Author author={author} post={one} />
        <p class="post-text">{one.text}</p>
        <MediaList keys={one.media_keys} media={shown.media} />
        {quoted && (
          <a class="quoted" href={`/data/posts/${quoted.id}`}>
            <strong>{shown.authors.get(quoted.author_id)?.name ?? 'Unknown'}</strong>
            <span class="post-text">{quoted.text}</span>
          </a>
        )}
        <Counts post={one} author={author} onChange={onChange} />
      </div>
    </article>
  )
}

const Author = ({ author, post }: { author: User; post: Post }) => (
  <p class="post-head">
    <a class="name" href={`/data/users/${author.screen_name}`}>
      {author.name}
    </a>{' '}
    <Verified user={author} /> <span class="quiet">@{author.screen_name}</span>{' '}
    <a class="quiet" href={`/data/posts/${post.id}`} title={`${timeText(post.created_at)} UTC`}>
      {agoText(post.created_at, plazaNow() ?? Date.parse(post.created_at))}
    </a>
  </p>
)

function MediaList({ keys, media }: { keys: readonly string[]; media: ReadonlyMap<string, Medium> }) {
  const known = keys.flatMap((key) => media.get(key) ?? [])
  if (known.length === 0) return null
  return (
    <div class={`media count-${Math.min(4, known.length)}`}>
      {known.map((medium) => (
        <OneMedium key={medium.media_key} medium={medium} />
      ))}
    </div>
  )
}

function OneMedium({ medium: { path, poster_path, type, alt_text } }: { medium: Medium }): JSX.Element {
  if (path === null) return <p class="quiet">This medium is not uploaded yet.</p>
  const text = alt_text ?? `${type === 'IMAGE' ? 'Image' : 'Video'} without a description`
  if (type !== 'VIDEO') return <img src={path} alt={text} loading="lazy" />
  return (
    <video
      src={path}
      controls
      preload="none"
      aria-label={text}
      {...(poster_path !== null && { poster: poster_path })}
    />
  )
}

function Counts({ post, author, onChange }: { post: Post; author: User; onChange: () => void }): JSX.Element {
  const { path, route } = useLocation()
  const remove = useAction(async () => {
    await call('DELETE', `/posts/${post.id}`)
    if (path.endsWith(post.id)) route(`/data/users/${author.screen_name}`)
    else onChange()
    return undefined
  })
  return (
    <div class="counts">
      <Count icon="reply" name="replies" value={post.reply_count} />
      <Count icon="repost" name="reposts" value={post.repost_count + post.quote_count} />
      <Count icon="like" name="likes" value={post.like_count} />
      <span class="row end">
        <a href={`/explorer/core/getPost?id=${post.id}`} class="hint">
          Open in the explorer
        </a>
        <button
          type="button"
          class="icon-button"
          aria-label="Delete the post"
          disabled={remove.isRunning}
          onClick={() => void remove.run()}
        >
          <Icon name="trash" />
        </button>
      </span>
      {remove.error && <Notes error={remove.error} />}
    </div>
  )
}

const Count = ({ icon, name, value }: { icon: IconName; name: string; value: number }): JSX.Element => (
  <span class="count">
    <Icon name={icon} />
    {compactText(value)} <span class="hidden">{name}</span>
  </span>
)
