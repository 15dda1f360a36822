import { readPeriod } from './effective-dates.ts'
import { gtinDoubt, gtinFault } from './gtin.ts'
import { hasMarkup } from './markup.ts'
import { readPrice } from './price.ts'

/** The rest of a sentence that begins with the name of a field; undefined if the value is valid. */
type Fault = string | undefined

/** A field of a product: a row of the interface's table. */
export interface ProductField {
  /** `conditional`: a rule about several fields requires it. `generated`: Plaza assigns it. */
  required: 'yes' | 'no' | 'conditional' | 'generated'
  /** The description of the interface. */
  rule: string
  type?: 'integer'
  choices?: readonly string[]
  /** In characters. */
  maxLength?: number
  check?(text: string): Fault
  /** Warnings about valid values that are probably unintended. */
  warn?(text: string): Fault
}

/** Limit where the interface gives no length. */
const MAX_WORD = 255
const MAX_TEXT = 1000
const MAX_URL = 2048
/** Maximum size of a URL in bytes: the index of images contains URLs on every store. */
const MAX_URL_BYTES = 2048
const MAX_ADDITIONAL_IMAGES = 10
export const MAX_INVENTORY = 2 ** 31 - 1

const AVAILABILITIES = ['in stock', 'available for order', 'preorder', 'out of stock', 'discontinued']
const AGE_GROUPS = ['adult', 'all ages', 'teen', 'kids', 'toddler', 'infant', 'newborn']

const word = (required: ProductField['required'], rule: string, more: Partial<ProductField> = {}) =>
  ({ required, rule, maxLength: MAX_WORD, ...more }) satisfies ProductField

const label = word('no', 'Custom label.')

/** Every field of a product (interface, Product fields), in the order of the interface. */
export const PRODUCT_FIELDS: Readonly<Record<string, ProductField>> = {
  id: word('yes', 'Identifies the item. An id that occurs several times in a request is an error each time.'),
  product_key: word('generated', 'Key given by the service. A value that is sent must be this key.'),
  title: { required: 'yes', rule: 'Title of up to 150 characters.', maxLength: 150 },
  description: {
    required: 'yes',
    rule: 'Plain text without HTML, up to 5000 characters.',
    maxLength: 5000,
    check: (text) => (hasMarkup(text) ? 'must be plain text without HTML' : undefined),
    warn: (text) => (ENTITY.test(text) ? 'has HTML entities, which are shown as they are' : undefined),
  },
  availability: { required: 'yes', rule: 'Availability.', choices: AVAILABILITIES },
  condition: { required: 'yes', rule: 'Condition of the product.', choices: ['new', 'used', 'refurbished'] },
  price: {
    required: 'yes',
    rule: 'A number, one space and the ISO 4217 code, with at most the decimals of the currency: `20.00 USD`.',
    check: priceFault,
  },
  link: {
    required: 'yes',
    rule: 'URL of the page of the product; https.',
    maxLength: MAX_URL,
    check: linkFault,
  },
  image_link: {
    required: 'yes',
    rule: 'JPG, GIF, WEBP or PNG, at least 500 x 500 pixels, at most 5 MB; https.',
    maxLength: MAX_URL,
    check: linkFault,
    warn: formatWarning,
  },
  brand: word('conditional', 'Brand; required when `gtin` and `mpn` are absent.'),
  gtin: {
    required: 'conditional',
    rule: 'A UPC, EAN, JAN or ISBN; required when `brand` and `mpn` are absent.',
    maxLength: 50,
    check: gtinFault,
    warn: gtinDoubt,
  },
  mpn: word('conditional', 'Manufacturer part number; required when `gtin` and `brand` are absent.'),
  mobile_link: {
    required: 'no',
    rule: 'URL of the mobile page of the product; https.',
    maxLength: MAX_URL,
    check: linkFault,
  },
  additional_image_link: {
    required: 'no',
    rule: 'Up to 10 URLs, separated by commas, with the same rules as `image_link`.',
    maxLength: (MAX_URL + 1) * MAX_ADDITIONAL_IMAGES,
    check: imagesFault,
    warn: (text) => imagesOf(text).map(formatWarning).find(Boolean),
  },
  google_product_category: {
    required: 'no',
    rule: 'Path (`A > B`) or id in the external taxonomy.',
    maxLength: MAX_TEXT,
    check: (text) => (/^\d{1,9}$/.test(text) ? undefined : pathFault(text)),
  },
  product_type: {
    required: 'no',
    rule: 'Your own taxonomy, with levels separated by ` > `.',
    maxLength: MAX_TEXT,
    check: pathFault,
  },
  inventory: {
    required: 'no',
    rule: 'Number in stock; at least 1 when the product is `in stock`.',
    type: 'integer',
  },
  sale_price: {
    required: 'no',
    rule: 'Sale price: lower than `price`, in the same currency.',
    check: priceFault,
  },
  sale_price_effective_date: {
    required: 'no',
    rule: 'Start and end, separated by a slash, ISO 8601 with time zones: `2026-10-04T17:20+01:00/2026-10-10T04:00+01:00`.',
    check: faultOf(readPeriod),
  },
  item_group_id: word(
    'conditional',
    'Groups variants (size, color, age group, gender). Required for variants.',
  ),
  item_group_key: word(
    'generated',
    'Key of the group, given by the service. A value that is sent must be this key.',
  ),
  gender: { required: 'no', rule: 'Gender that the product is for.', choices: ['female', 'male', 'unisex'] },
  color: word('no', 'A color word, not a hex code.', {
    check: (text) => (HEX_COLOR.test(text) ? 'must be a color word, not a hex code' : undefined),
  }),
  size: word('no', 'A word, an abbreviation or a number.'),
  age_group: { required: 'no', rule: 'Age group that the product is for.', choices: AGE_GROUPS },
  custom_label_0: label,
  custom_label_1: label,
  custom_label_2: label,
  custom_label_3: label,
  custom_label_4: label,
}

/** The submitted fields of a product; absent fields are missing. */
export type ProductItem = { [Name in string]?: string | number }

/** Rules about several fields, in the words of the fields. */
export const TOGETHER: readonly {
  about: string
  fault(item: ProductItem, name: (field: string) => string): Fault
}[] = [
  {
    about: 'brand',
    fault: ({ brand, gtin, mpn }, name) =>
      brand === undefined && gtin === undefined && mpn === undefined
        ? `is required when ${name('gtin')} and ${name('mpn')} are absent`
        : undefined,
  },
  {
    about: 'inventory',
    fault: ({ inventory, availability }, name) =>
      availability === 'in stock' && typeof inventory === 'number' && inventory < 1
        ? `must be at least 1 when ${name('availability')} is "${name('in stock')}"`
        : undefined,
  },
  { about: 'sale_price', fault: saleFault },
]

function saleFault({ price, sale_price }: ProductItem, name: (field: string) => string): Fault {
  const [full, sale] = [price, sale_price].map((value) => readPrice(String(value ?? '')))
  if (typeof full !== 'object' || typeof sale !== 'object') return undefined
  if (full.currency !== sale.currency) return `must be in the currency of ${name('price')}, ${full.currency}`
  return sale.amount < full.amount ? undefined : `must be lower than ${name('price')}`
}

/** Warnings about several fields. */
export const DOUBTS: typeof TOGETHER = [
  {
    about: 'sale_price_effective_date',
    fault: ({ sale_price, sale_price_effective_date }, name) =>
      sale_price_effective_date !== undefined && sale_price === undefined
        ? `has no effect without ${name('sale_price')}`
        : undefined,
  },
]

function faultOf(read: (text: string) => object | string) {
  return (text: string): Fault => {
    const result = read(text)
    return typeof result === 'string' ? result : undefined
  }
}

function priceFault(text: string): Fault {
  return faultOf(readPrice)(text)
}

const ENTITY = /&(?:[a-z]{2,31}|#\d{1,7}|#x[0-9a-f]{1,6});/i
/** `#fff`, `#1a2b3c`, `0xff0000`, and digits that can only be a hex code. */
const HEX_COLOR = /#[0-9a-f]{3,8}\b|^#|^0x[0-9a-f]+$|^(?=.*\d)(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i
const UNSAFE = /[\p{Cc}\p{Z}\\]/u

function linkFault(text: string): Fault {
  if (Buffer.byteLength(text) > MAX_URL_BYTES) return `must be at most ${MAX_URL_BYTES} bytes in UTF-8`
  return /^https:\/\/[^/]/i.test(text) && !UNSAFE.test(text) && URL.canParse(text)
    ? undefined
    : 'must be an https address'
}

const OTHER_FORMATS = /\.(avif|bmp|eps|heic|ico|pdf|psd|svg|tiff?)$/i

function formatWarning(text: string): Fault {
  const format = OTHER_FORMATS.exec(text.split(/[?#]/, 1)[0] ?? '')?.[1]
  return format === undefined ? undefined : `should be JPG, GIF, WEBP or PNG, not ${format.toUpperCase()}`
}

/** The URLs of a comma-separated list. */
export const imagesOf = (text: string) => text.split(',').map((url) => url.trim())

function imagesFault(text: string): Fault {
  const images = imagesOf(text)
  if (images.length > MAX_ADDITIONAL_IMAGES) return `must have at most ${MAX_ADDITIONAL_IMAGES} addresses`
  if (images.some((url) => url.length > MAX_URL))
    return `must have addresses of at most ${MAX_URL} characters`
  if (images.some((url) => Buffer.byteLength(url) > MAX_URL_BYTES))
    return `must have addresses of at most ${MAX_URL_BYTES} bytes in UTF-8`
  return images.some((url) => linkFault(url) !== undefined)
    ? 'must be https addresses with commas between'
    : undefined
}

function pathFault(text: string): Fault {
  const isPath = text.split(' > ').every((level) => level.trim() !== '' && !level.includes('>'))
  return isPath ? undefined : 'must have its levels separated by " > "'
}
