/** Posts of a user and of an app in a day, whichever API publishes them: those of the endpoint `createPost`. */
export const POSTS_PER_DAY = { 'user-24hour': '2400/24h', 'app-24hour': '10000/24h' } as const
