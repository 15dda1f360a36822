/**
 * The codes that `lang:` accepts (reference: language codes), from the current and former lists.
 */
export const LANGUAGES: ReadonlySet<string> = new Set(
  (
    'am ar hy eu bn bg ca hr cs da nl en et fi fr de ka el gu iw hi hu in it ja kn ko lv lt ml mr no fa pl pt ro ru ' +
    'sr zh-cn sk sl es sv ta te th zh-tw tr uk ur vi bs my ckb dv ht hi-latn is km lo ne or pa ps sd si tl ug cy und zh'
  ).split(' '),
)

/** Standard codes that have another form here. */
export const OTHER_CODES: Readonly<Record<string, string>> = { he: 'iw', id: 'in', fil: 'tl', nb: 'no' }

/** Posts in Chinese have `zh`, in any script. */
export const languageOfPosts = (code: string) => (code === 'zh-cn' || code === 'zh-tw' ? 'zh' : code)
