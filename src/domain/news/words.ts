// Our own word lists for stories: in lower case, without accents.

const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

/** Words that do not indicate a topic. No name begins or ends with one. */
export const ENGLISH_STOP_WORDS = list(`
  a about after again against all almost also always am an and another any anyone anything are around as at away back be
  because been before being below between both but by came can cannot come could day days did do does doing done dont down
  during each else even ever every everyone everything few first for from further get gets getting go goes going gone good
  got great had has have having he her here hers him his how however i if in into is isnt it its itself just keep know last
  least less let like little ll look made make makes many may maybe me might mine more most much must my near need never new
  next no nobody none nor not nothing now of off often oh ok old on once one only or other others our ours out over own
  people please put quite rather re really right said same saw say says see seen set she should since so some someone
  something soon still such take than thank thanks that thats the their theirs them then there these they thing things
  think this those though through time to today together told tomorrow tonight too took toward two under until up upon us
  use used ve very via want was way we week well went were what when where whether which while who whole whom whose why
  will with within without would year years yes yesterday yet you your yours
  monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october
  november december morning evening night post posts breaking update news
`)

/** The same in English, Spanish, Portuguese, French and German. */
export const STOP_WORDS = new Set([
  ...ENGLISH_STOP_WORDS,
  ...list(`
  al algo ante antes aqui asi aun bien cada como con contra cual cuando de del desde donde dos el ella ellos en entre era
  es esa ese eso esta estan este esto ha hace hacia han hasta hay hoy la las le les lo los mas me mi mis mucho muy nada ni
  no nos nosotros nunca o os otra otro para pero poco por porque que quien se ser si sin sobre solo son su sus tambien
  tan te tiene todo todos tu tus un una uno unos usted y ya yo
  ao aos ate com da das do dos ela ele eles em essa esse esta este eu foi foram isso isto ja mais mas muito na nao nas nem
  no nos nossa nosso num numa o os ou pela pelo pra quando quem se sem ser seu sua tambem tem uma voce
  alors apres au aussi autre aux avant avec bien car ce cela ces cet cette chez comme dans des donc du elle elles encore
  est et etait ete etre eux fait il ils je jusque leur leurs lui mais meme moi mon ne notre nous ont ou par pas peu plus
  pour quand que quel quelle qui sa sans ses si son sont sous sur ta tes ton tous tout toute tres trop tu un une vers
  votre vous
  aber als am an auch auf aus bei bin bis bist da damit das dass dein dem den der des dich die dir doch dort du durch ein
  eine einem einen einer eines er es euch fur gegen hat hatte haben hier ich ihm ihn ihr im in ist ja jede jeder jetzt
  kann kein keine man mehr mein mich mir mit nach nein nicht noch nun nur ob oder ohne sehr sein seine sich sie sind so
  uber um und uns unser unter vom von vor war waren was weil wenn wer werden wie wieder wir wird wo zu zum zur
`),
])

/** Small words inside names: Bank of England. */
export const JOINING_WORDS = list('of de la del der den da do di van von')

export const SPORTS_WORDS = list(`
  match matches game games goal goals score scored scores team teams coach league cup final finals semifinal championship
  champions champion tournament season player players football soccer basketball baseball tennis cricket rugby hockey golf
  olympics olympic medal race racing stadium striker goalkeeper playoff playoffs innings touchdown quarterback derby
  marathon sprint boxing wrestling formula grandprix transfer penalty referee win wins victory defeat
`)

export const ENTERTAINMENT_WORDS = list(`
  film films movie movies cinema actor actress director trailer premiere series episode season2 show shows album albums
  song songs singer band concert tour music festival award awards oscar oscars grammy grammys emmy celebrity celebrities
  netflix streaming theater theatre comedy drama sequel soundtrack novel bestseller game videogame anime
`)

export const NEWS_WORDS = list(`
  government president minister ministers mayor election elections vote voters votes parliament senate congress court judge
  police law policy tax taxes economy inflation market markets strike protest protests war peace attack ceasefire
  earthquake flood floods flooding storm hurricane wildfire fire fires rescue evacuation evacuated emergency accident crash
  explosion outage hospital vaccine virus pandemic climate budget sanctions treaty border migrants bridge airport train
  trains crisis investigation arrested trial verdict weather killed injured
`)

/** Words that begin the name of a person. */
export const TITLES = list(`
  president minister mayor senator governor chancellor king queen prince princess pope judge justice coach captain
  professor dr mr mrs ms sir lord lady general secretary
`)

export const GIVEN_NAMES = list(`
  adam aisha alan alex alexander alice amir amy ana andrea andrew anna anne anthony antonio barbara ben bob brian carlos
  carol charles chloe chris christine claire daniel david diana diego donald elena elizabeth emily emma eric eva fatima
  felix fernando frank gabriel george grace hannah hans helen henry hiroshi ibrahim ines isabel ivan jack jacob jacques
  jaime james jan jane javier jean jennifer jessica joao john jorge jose joseph juan julia karen kate kenji kevin laura
  leo leon li lin linda lisa louis lucas lucia luis luke maria marie mario mark martin mary matthew maya mei michael
  miguel mohammed nadia nancy nina noah nora oliver olivia omar oscar pablo patricia paul paula pedro peter philip pierre
  priya rachel raj ricardo richard robert rosa ruth sam samuel sara sarah sergei sofia sophie stefan stephen susan thomas
  tim tom victor wei william yuki yusuf
`)

export const ORGANIZATION_WORDS = list(`
  inc corp corporation company ltd llc gmbh group holdings university college school institute academy ministry department
  council committee commission agency authority bank association federation union party police court parliament senate
  congress foundation society bureau office administration army navy hospital museum airlines railways motors
`)

export const EVENT_WORDS = list(`
  cup championship championships olympics festival summit election elections conference awards marathon derby final finals
  games expo fair parade congress convention open prix carnival
`)

export const PLACE_WORDS = list(`
  bridge river lake mount mountain park street square airport station island islands bay valley harbor harbour port county
  city town village beach avenue road district province state coast canal tower palace castle stadium sea ocean north south
`)

/** Cities that are known without naming their country. */
export const CITIES = list(`
  amsterdam ankara athens auckland baghdad bangkok barcelona beijing beirut belgrade berlin bogota boston brisbane brussels
  bucharest budapest cairo caracas chicago copenhagen dakar dallas damascus delhi detroit dhaka dublin edinburgh frankfurt
  geneva glasgow hamburg hanoi helsinki houston istanbul jakarta jerusalem johannesburg kabul karachi kyiv lagos lahore lima
  lisbon liverpool london lyon madrid manchester manila marseille melbourne miami milan minneapolis montreal moscow mumbai
  munich nairobi naples osaka oslo ottawa paris philadelphia phoenix prague quito riga riyadh rome rotterdam santiago
  seattle seoul shanghai singapore sofia stockholm sydney taipei tallinn tehran tokyo toronto tunis turin vancouver venice
  vienna vilnius warsaw washington zagreb zurich
`)

/** Words that end the name of a team. */
export const TEAM_WORDS = list(`
  united city fc rovers wanderers athletic rangers town county albion hotspur eagles tigers lions bears hawks wolves
  warriors giants kings raiders sharks bulls heat stars
`)

/** Words that end the name of a product. */
export const PRODUCT_WORDS = list('pro max mini plus ultra lite se xl')
