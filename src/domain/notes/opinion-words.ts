// Our own word lists for the scores of notes: English, in lower case, without accents.

const list = (words: string) => new Set(words.split(/\s+/))

/** Verbs and adjectives of opinion. */
export const OPINION_WORDS = list(`
  think thinks believe believes feel feels feeling guess suspect opinion opinions imho obviously clearly surely
  certainly undoubtedly honestly frankly terrible horrible awful disgusting disgraceful shameful ridiculous absurd
  outrageous stupid insane crazy pathetic laughable dumb best worst amazing wonderful great fantastic brilliant beautiful
  ugly evil hate love hates loves should ought deserve deserves corrupt hypocrite propaganda nonsense garbage`)

/** Words that leave open whether a statement is true. */
export const HEDGES = list(`
  maybe perhaps possibly probably might could seems seem seemingly apparently supposedly presumably likely unlikely
  somewhat arguably allegedly rumored rumoured`)

/** The writer. */
export const FIRST_PERSON = list('i me my mine myself we us our ours ourselves im ive id ill weve')

/** Statements without exceptions. */
export const ABSOLUTES = list(
  'always never everyone everybody nobody noone nothing everything totally completely utterly',
)

/** Words that name the source of a statement. */
export const SOURCE_WORDS = list(`
  according reported reports report published study studies data statistics census survey records record transcript
  statement announced confirmed official documents document court filing source sources archive`)

/** Insults and threats. */
export const ABUSIVE_WORDS = list(`
  idiot idiots moron morons imbecile imbeciles scum trash filth filthy loser losers clown clowns liar liars vermin
  retard retarded bastard bastards bitch whore slut kys subhuman parasite parasites`)
