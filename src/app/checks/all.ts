import { entitiesOfTests } from './ab-tests.ts'
import { spentAmounts } from './ad-delivery.ts'
import { partsOfCombinations, setsOfCatalogs, termsOfLibraries } from './advertising.ts'
import { countsOfCommunities, searchTermsOfCommunities } from './communities.ts'
import type { Comparison } from './comparison.ts'
import { countsOfLists, countsOfPosts, countsOfUsers } from './counts.ts'
import { keptMediaFiles, mediaOfPosts } from './media.ts'
import { ratingsOfNotes, requestsForNotes } from './notes.ts'
import { mentionsOfPosts, reactionsToDeletedPosts, versionsOfPosts } from './posts.ts'
import { requestsToPublicUsers } from './relations.ts'
import { wordsOfTitles } from './spaces.ts'
import { searchTermsOfUsers } from './user-search.ts'

/** All comparisons of derived data. Earlier ones repair what later ones count. */
export const comparisons: readonly Comparison[] = [
  versionsOfPosts,
  reactionsToDeletedPosts,
  requestsToPublicUsers,
  countsOfPosts,
  countsOfUsers,
  searchTermsOfUsers,
  countsOfLists,
  countsOfCommunities,
  searchTermsOfCommunities,
  mentionsOfPosts,
  mediaOfPosts,
  keptMediaFiles,
  ratingsOfNotes,
  requestsForNotes,
  wordsOfTitles,
  setsOfCatalogs,
  partsOfCombinations,
  termsOfLibraries,
  spentAmounts,
  entitiesOfTests,
]
