/** The key of a screen name, with or without `@`, in any case. */
export const keyOfScreenName = (screenName: string) => screenName.replace(/^@/, '').toLowerCase()

export const noUser = (screenName: string) =>
  `There is no user @${screenName.replace(/^@/, '')}. Create one with "plaza user create".`
