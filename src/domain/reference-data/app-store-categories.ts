import { base36Id } from './ids.ts'
import { lookup, once } from './lookup.ts'

export type AppStoreOs = 'ANDROID' | 'IOS'

export interface AppStoreCategoryOption {
  name: string
  targeting_type: 'APP_STORE_CATEGORY'
  targeting_value: string
  os_type: AppStoreOs
}

/** Top categories of each store, and the games of each, which are named `Games: …`. */
const categories: Readonly<Record<AppStoreOs, { top: readonly string[]; games: readonly string[] }>> = {
  ANDROID: {
    top: [
      'Art & Design',
      'Auto & Vehicles',
      'Beauty',
      'Books & Reference',
      'Business',
      'Comics',
      'Communication',
      'Dating',
      'Education',
      'Entertainment',
      'Events',
      'Finance',
      'Food & Drink',
      'Health & Fitness',
      'House & Home',
      'Libraries & Demo',
      'Lifestyle',
      'Maps & Navigation',
      'Medical',
      'Music & Audio',
      'News & Magazines',
      'Parenting',
      'Personalization',
      'Photography',
      'Productivity',
      'Shopping',
      'Social',
      'Sports',
      'Tools',
      'Travel & Local',
      'Video Players & Editors',
      'Weather',
    ],
    games: [
      'Action',
      'Adventure',
      'Arcade',
      'Board',
      'Card',
      'Casino',
      'Casual',
      'Educational',
      'Music',
      'Puzzle',
      'Racing',
      'Role Playing',
      'Simulation',
      'Sports',
      'Strategy',
      'Trivia',
      'Word',
    ],
  },
  IOS: {
    top: [
      'Books',
      'Business',
      'Catalogs',
      'Developer Tools',
      'Education',
      'Entertainment',
      'Finance',
      'Food & Drink',
      'Graphics & Design',
      'Health & Fitness',
      'Kids',
      'Lifestyle',
      'Magazines & Newspapers',
      'Medical',
      'Music',
      'Navigation',
      'News',
      'Photo & Video',
      'Productivity',
      'Reference',
      'Shopping',
      'Social Networking',
      'Sports',
      'Travel',
      'Utilities',
      'Weather',
    ],
    games: [
      'Action',
      'Adventure',
      'Arcade',
      'Board',
      'Card',
      'Casino',
      'Casual',
      'Dice',
      'Educational',
      'Family',
      'Music',
      'Puzzle',
      'Racing',
      'Role Playing',
      'Simulation',
      'Sports',
      'Strategy',
      'Trivia',
      'Word',
    ],
  },
}

const documentedIds: Readonly<Record<string, string>> = { 'IOS/Games: Music': 'qouq' }

export const appStoreCategories = once((): readonly AppStoreCategoryOption[] =>
  (['ANDROID', 'IOS'] as const).flatMap((os) => {
    const { top, games } = categories[os]
    return [...top, 'Games', ...games.map((game) => `Games: ${game}`)].map((name) => category(os, name))
  }),
)

export const appStoreCategoryByValue = lookup(appStoreCategories, (option) => option.targeting_value)

export function isAppStoreCategory(value: string): boolean {
  return appStoreCategoryByValue(value) !== undefined
}

function category(os: AppStoreOs, name: string): AppStoreCategoryOption {
  const key = `${os}/${name}`
  return {
    name,
    targeting_type: 'APP_STORE_CATEGORY',
    targeting_value: documentedIds[key] ?? base36Id(`app-store-category:${key}`),
    os_type: os,
  }
}
