import { taskType } from '../../queue/task.ts'

/** Looks at the products that changed since a set with filters looked last. */
export const processSet = taskType<{ catalog: string; set: string }>('process product set', {
  subject: ({ set }) => set,
})

/** Removes what is left of a catalog or a set that was deleted. */
export const removeRows = taskType<{ of: 'catalog' | 'set'; id: string }>('remove catalog rows', {
  subject: ({ of, id }) => `${of} ${id}`,
})

/** Fetches an image of a product and looks at it. Images of one host are fetched one after the other. */
export const checkImage = taskType<{ catalog: string; product: string; url: string }>('check product image', {
  subject: ({ catalog, product, url }) => `${catalog} ${product} ${url}`,
  concurrencyKey: ({ url }) => new URL(url).host,
})
