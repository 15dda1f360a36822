import { render } from 'preact'
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from 'preact-iso'
import { connection } from './api.ts'
import { ClockPage } from './pages/clock.tsx'
import { AccountPage } from './pages/data/account.tsx'
import { Accounts } from './pages/data/ads.tsx'
import { Apps } from './pages/data/apps.tsx'
import { Communities } from './pages/data/communities.tsx'
import { CommunityPage } from './pages/data/community.tsx'
import { News } from './pages/data/news.tsx'
import { Notes } from './pages/data/notes.tsx'
import { Profile } from './pages/data/profile.tsx'
import { Spaces } from './pages/data/spaces.tsx'
import { Thread } from './pages/data/thread.tsx'
import { Users } from './pages/data/users.tsx'
import { Explorer } from './pages/explorer/explorer.tsx'
import { Faults } from './pages/faults.tsx'
import { Journal } from './pages/journal/journal.tsx'
import { Overview } from './pages/overview.tsx'
import { NoAdminApi, SignIn } from './pages/sign-in.tsx'
import { SignaturePage } from './pages/signature.tsx'
import { Snapshots } from './pages/snapshots.tsx'
import { Streams } from './pages/streams.tsx'
import { Webhooks } from './pages/webhooks.tsx'
import { Empty, Page } from './parts/page.tsx'
import { sampleMetrics } from './samples.ts'
import { SIGN_IN_PATH, watch } from './session.ts'
import { Shell } from './shell.tsx'
import { followTheme } from './theme.ts'

const NotFound = () => (
  <Page title="Not found">
    <Empty>There is no such page.</Empty>
  </Page>
)

function Pages() {
  const { path } = useLocation()
  // The same component whether a link leads here or a call was rejected, so that it keeps its state.
  if (connection.value === 'signed out' || path === SIGN_IN_PATH) return <SignIn />
  if (connection.value === 'absent') return <NoAdminApi />
  return (
    <Router>
      <Route path="/" component={Overview} />
      <Route path="/clock" component={ClockPage} />
      <Route path="/explorer/:api?/:id?" component={Explorer} />
      <Route path="/journal/:id?" component={Journal} />
      <Route path="/data" component={Users} />
      <Route path="/data/users" component={Users} />
      <Route path="/data/users/:user" component={Profile} />
      <Route path="/data/posts/:id" component={Thread} />
      <Route path="/data/apps" component={Apps} />
      <Route path="/data/accounts" component={Accounts} />
      <Route path="/data/accounts/:id" component={AccountPage} />
      <Route path="/data/news" component={News} />
      <Route path="/data/communities" component={Communities} />
      <Route path="/data/communities/:id" component={CommunityPage} />
      <Route path="/data/spaces" component={Spaces} />
      <Route path="/data/notes" component={Notes} />
      <Route path="/streams" component={Streams} />
      <Route path="/webhooks" component={Webhooks} />
      <Route path="/webhooks/deliveries/:id" component={Webhooks} />
      <Route path="/faults" component={Faults} />
      <Route path="/snapshots" component={Snapshots} />
      <Route path="/signature" component={SignaturePage} />
      <Route default component={NotFound} />
    </Router>
  )
}

const App = () => (
  <LocationProvider>
    <ErrorBoundary>
      <Shell>
        <Pages />
      </Shell>
    </ErrorBoundary>
  </LocationProvider>
)

followTheme()
void watch()
sampleMetrics()
render(<App />, document.body)
