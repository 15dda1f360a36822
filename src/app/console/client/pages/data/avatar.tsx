import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { User } from './model.ts'

/** Files of this Plaza are on the console, too; those of other servers are not loaded. */
function localPath(url: string | null): string | undefined {
  if (url === null || !URL.canParse(url)) return undefined
  const { pathname } = new URL(url)
  return /^\/media\/[0-9a-f]{64}\.[a-z0-9]{3,4}$/.test(pathname) ? pathname : undefined
}

/** The picture of a user, or the first letter of the name. */
export function Avatar({
  user,
  large,
}: {
  user: Pick<User, 'name' | 'id' | 'profile_image_url'>
  large?: boolean
}): JSX.Element {
  const [isBroken, setBroken] = useState(false)
  const path = localPath(user.profile_image_url)
  const kind = `avatar${large ? ' large' : ''}`
  if (path && !isBroken) return <img class={kind} src={path} alt="" onError={() => setBroken(true)} />
  return (
    <span class={`${kind} hue-${Number(user.id.slice(-2)) % 6}`} aria-hidden="true">
      {[...user.name][0]?.toUpperCase() ?? '?'}
    </span>
  )
}

/** The badge of a verified user. */
export const Verified = ({ user }: { user: Pick<User, 'verified' | 'verified_type'> }) =>
  user.verified || user.verified_type !== 'none' ? <span class="badge info">verified</span> : null
