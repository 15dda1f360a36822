import type { JSX } from 'preact'
import { call } from '../../api.ts'
import { numberText, timeText } from '../../format.ts'
import { Card, Empty, Loading, Notes } from '../../parts/page.tsx'
import { usePages } from '../../parts/pages.tsx'
import { useAction } from '../../resource.ts'
import { DataPage } from './data-page.tsx'
import type { One } from './model.ts'

interface Story {
  readonly id: string
  readonly name: string
  readonly summary: string
  readonly category: string
  readonly keywords: readonly string[]
  readonly post_ids: readonly string[]
  readonly updated_at: string
}

interface Built {
  readonly appeared: number
  readonly updated: number
}

const SHOWN_POSTS = 5

/** News stories, which are made of posts. */
export function News(): JSX.Element {
  const { data, error, reload, pager } = usePages<Story>('/news?limit=24')
  const build = useAction(async () => {
    const { appeared, updated } = (await call<One<Built>>('POST', '/news/refresh')).data
    reload()
    return `New stories: ${appeared}. Stories with more posts: ${updated}.`
  })
  return (
    <DataPage
      title="News"
      about="What several users post about at the same time becomes a story. Plaza builds stories every minute."
      open="/data/news"
      actions={
        <button type="button" disabled={build.isRunning} onClick={() => void build.run()}>
          Build now
        </button>
      }
    >
      <Notes error={build.error ?? error} done={build.done} />
      {!data && !error && <Loading />}
      {data?.data.length === 0 && (
        <Card>
          <Empty>
            There is no story. Publish posts of several users about the same names and words, and build again;{' '}
            <code>plaza generate posts</code> makes many.
          </Empty>
        </Card>
      )}
      <div class="grid cards">
        {data?.data.map((story) => (
          <StoryCard key={story.id} story={story} />
        ))}
      </div>
      {pager}
    </DataPage>
  )
}

const StoryCard = ({ story }: { story: Story }) => (
  <Card title={story.name} actions={<span class="badge">{story.category}</span>}>
    <p>{story.summary}</p>
    <p class="chips">
      {story.keywords.map((word) => (
        <span key={word} class="badge">
          {word}
        </span>
      ))}
    </p>
    <details class="more">
      <summary>{numberText(story.post_ids.length)} posts</summary>
      <ul class="stack tight">
        {story.post_ids.slice(0, SHOWN_POSTS).map((id) => (
          <li key={id}>
            <a href={`/data/posts/${id}`}>{id}</a>
          </li>
        ))}
      </ul>
    </details>
    <p class="hint">
      Updated {timeText(story.updated_at)} UTC, <code>{story.id}</code>
    </p>
  </Card>
)
