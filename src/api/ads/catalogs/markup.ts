/** The elements of HTML, including obsolete ones, and their possible contents. */
const ELEMENTS = new Set(
  `a abbr acronym address applet area article aside audio b base basefont bdi bdo big blink blockquote body br button
  canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset
  figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins
  kbd label legend li link main map mark marquee math menu meta meter nav nobr noframes noscript object ol optgroup
  option output p param picture pre progress q rp rt ruby s samp script search section select slot small source span
  strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul
  var video wbr`.split(/\s+/),
)
/** Attributes without a value. */
const SWITCHES = new Set(
  `allowfullscreen async autofocus autoplay checked compact controls default defer disabled download formnovalidate
  hidden inert ismap itemscope loop multiple muted nomodule noshade novalidate nowrap open playsinline readonly required
  reversed selected`.split(/\s+/),
)

const DECLARATION = /<!(?:--|\[CDATA\[|doctype)/i
const TAGS = /<(\/?)([a-z][a-z0-9]*)(?=[\s/>])([^<>]*)>/gi
const ATTRIBUTE = /=\s*["']|[\w-]=[\w/#.]/

/**
 * Whether a text contains HTML. "a<b and c>d" does not: a tag has the name of an element, followed
 * only by attributes.
 */
export function hasMarkup(text: string): boolean {
  if (DECLARATION.test(text)) return true
  for (const [, slash, name = '', rest = ''] of text.matchAll(TAGS))
    if (ELEMENTS.has(name.toLowerCase()) && (slash !== '' || areAttributes(rest))) return true
  return false
}

const areAttributes = (rest: string) =>
  ATTRIBUTE.test(rest) ||
  rest.split(/[\s/]+/).every((word) => word === '' || SWITCHES.has(word.toLowerCase()))
