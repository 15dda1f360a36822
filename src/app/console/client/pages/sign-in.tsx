import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { connection } from '../api.ts'
import { Field, onSubmit } from '../parts/field.tsx'
import { Card, Notes, Page } from '../parts/page.tsx'
import { useAction } from '../resource.ts'
import { SIGN_IN_PATH, signIn } from '../session.ts'

/** Signs in with the key in the link of `plaza console`, or with one that is typed. */
export function SignIn() {
  const { path, route } = useLocation()
  const [key, setKey] = useState('')
  const action = useAction(async (text: string) => {
    const problem = await signIn(text)
    if (problem !== undefined) throw new Error(problem)
    if (path === SIGN_IN_PATH) route('/', true)
    return undefined
  })
  useEffect(() => {
    const fromLink = decodeURIComponent(location.hash.slice(1))
    if (path !== SIGN_IN_PATH || fromLink === '') return
    // The key must not stay in the address.
    history.replaceState(undefined, '', SIGN_IN_PATH)
    void action.run(fromLink)
  }, [])
  useEffect(() => {
    if (path === SIGN_IN_PATH && connection.value === 'open') route('/', true)
  }, [path, route])
  return (
    <Page title="Sign in" about="The console needs a key of someone who can read the data of this Plaza.">
      <Card class="narrow">
        <p>
          Run <code>plaza console</code> on this machine, and open the link that it prints. Or paste the key
          here.
        </p>
        <form onSubmit={onSubmit(() => void action.run(key.trim()))}>
          <Field label="Key" type="password" value={key} onValue={setKey} required maxLength={200} />
          <Notes error={action.error} />
          <button type="submit" class="primary" disabled={action.isRunning}>
            Sign in
          </button>
        </form>
      </Card>
    </Page>
  )
}

/** Shown where the admin API is switched off. */
export const NoAdminApi = () => (
  <Page title="No admin API">
    <Card class="narrow">
      <p>
        This Plaza is hardened and has no admin API, which the console needs. Start it with{' '}
        <code>--admin-api</code> to use the console, and open it with <code>plaza console</code>.
      </p>
      <p>
        The{' '}
        <a href="/reference" target="_self">
          reference
        </a>
        ,{' '}
        <a href="/health" target="_self">
          health
        </a>
        ,{' '}
        <a href="/ready" target="_self">
          readiness
        </a>{' '}
        and{' '}
        <a href="/metrics" target="_self">
          metrics
        </a>{' '}
        are there all the same.
      </p>
    </Card>
  </Page>
)
