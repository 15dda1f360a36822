import { base36Id } from './ids.ts'
import { lookup, once } from './lookup.ts'

export interface ConversationOption {
  targeting_type: 'CONVERSATION'
  targeting_value: string
  name: string
  conversation_type: ConversationType
}

/**
 * Every conversation type, with a few conversations each. The people among them are historical, so that no living
 * person is categorized here.
 */
const topics = {
  ACTORS: ['Audrey Hepburn', 'Buster Keaton', 'Charlie Chaplin', 'Grace Kelly'],
  ATHLETES: ['Babe Ruth', 'Jesse Owens', 'Muhammad Ali', 'Wilma Rudolph'],
  BOOK_GENRES: ['Fantasy', 'Historical fiction', 'Mystery', 'Poetry'],
  BOOKS: ['Don Quixote', 'Frankenstein', 'Moby-Dick', 'Pride and Prejudice'],
  BRAND_CATEGORIES: ['Airlines', 'Car makers', 'Coffee houses', 'Fashion houses', 'Sportswear'],
  BRANDS: ['Coca-Cola', 'IKEA', 'Lego', 'Toyota'],
  CELEBRITIES: ['Josephine Baker', 'Harry Houdini', 'Marilyn Monroe'],
  COACHES: ['John Wooden', 'Johan Cruyff', 'Vince Lombardi'],
  DIGITAL_CREATORS: ['Beauty creators', 'Cooking creators', 'Gaming creators', 'Science creators'],
  ENTERTAINMENT_BRANDS: ['Marvel', 'Pixar', 'Studio Ghibli'],
  ENTERTAINMENT_PERSONALITIES: ['Ed Sullivan', 'Johnny Carson', 'Lucille Ball'],
  FICTIONAL_CHARACTERS: ['Dracula', 'Robin Hood', 'Sherlock Holmes', 'Wonder Woman'],
  JOURNALISTS: ['Edward R. Murrow', 'Nellie Bly', 'Walter Cronkite'],
  LIFESTYLES: ['Minimalism', 'Outdoor life', 'Parenting', 'Veganism'],
  MOVIE_GENRES: ['Comedy', 'Documentary', 'Horror', 'Romance', 'Science fiction'],
  MOVIES: ['Casablanca', 'Metropolis', 'Seven Samurai', 'The Wizard of Oz'],
  MUSIC_GENRES: ['Classical', 'Hip-hop', 'Jazz', 'K-pop', 'Rock'],
  MUSICIANS: ['Bob Marley', 'Ella Fitzgerald', 'Ludwig van Beethoven', 'The Beatles'],
  NEWS_STORIES: ['Climate change', 'Economy', 'Elections', 'Space exploration'],
  NEWS: ['Business news', 'Local news', 'Technology news', 'World news'],
  PERSONS: ['Ada Lovelace', 'Albert Einstein', 'Marie Curie', 'Rosa Parks'],
  PLACES: ['Berlin', 'Cape Town', 'New York City', 'Rio de Janeiro', 'Tokyo'],
  PODCASTS: ['Comedy podcasts', 'History podcasts', 'News podcasts', 'True crime podcasts'],
  POLITICAL_AFFILIATIONS: ['Conservative', 'Green', 'Independent', 'Liberal', 'Social democratic'],
  POLITICIANS: ['Abraham Lincoln', 'Mahatma Gandhi', 'Nelson Mandela', 'Winston Churchill'],
  PRODUCTS: ['Electric cars', 'Headphones', 'Smart watches', 'Smartphones'],
  RADIO_STATIONS: ['BBC Radio 1', 'NPR', 'Radio France'],
  SPORTS_LEAGUES: ['Bundesliga', 'La Liga', 'Major League Baseball', 'NBA', 'Premier League'],
  SPORTS_PERSONALITIES: ['Harry Caray', 'Howard Cosell', 'Jim McKay'],
  SPORTS_TEAMS: ['Boca Juniors', 'Chicago Bulls', 'FC Barcelona', 'New York Yankees', 'Yomiuri Giants'],
  SPORTS: ['NFL', 'Basketball', 'Cricket', 'Rugby', 'Soccer', 'Tennis'],
  TRENDS: ['Artificial intelligence', 'Remote work', 'Sustainability', 'Thrifting'],
  TV_SHOWS: ['Doctor Who', 'Jeopardy!', 'Sesame Street', 'Star Trek'],
  VIDEO_GAME_PLATFORMS: ['Mobile', 'Nintendo Switch', 'PC', 'PlayStation 5', 'Xbox Series X'],
  VIDEO_GAME_PUBLISHERS: ['Capcom', 'Electronic Arts', 'Nintendo', 'Sega', 'Ubisoft'],
  VIDEO_GAMES: ['Chess', 'Minecraft', 'Pac-Man', 'Tetris', 'The Legend of Zelda'],
} as const

export type ConversationType = keyof typeof topics

export const conversationTypes = Object.keys(topics) as readonly ConversationType[]

const documentedIds: Readonly<Record<string, string>> = { 'SPORTS/NFL': 'a1' }

export const conversations = once((): readonly ConversationOption[] =>
  conversationTypes.flatMap((type) =>
    topics[type].map((name) => ({
      targeting_type: 'CONVERSATION',
      targeting_value: documentedIds[`${type}/${name}`] ?? base36Id(`conversation:${type}/${name}`),
      name,
      conversation_type: type,
    })),
  ),
)

export const conversationByValue = lookup(conversations, (option) => option.targeting_value)

export function isConversation(value: string): boolean {
  return conversationByValue(value) !== undefined
}
