import { taskType } from '../../queue/task.ts'

/** Processes the products that changed since a set with filters last did. */
export const processSet = taskType<{ catalog: string; set: string }>('process product set', {
  subject: ({ set }) => set,
})

/** Removes the rows of a deleted catalog or set. */
export const removeRows = taskType<{ of: 'catalog' | 'set'; id: string }>('remove catalog rows', {
  subject: ({ of, id }) => `${of} ${id}`,
})

/** Fetches and inspects an image of a product. Images of one host are fetched one after another. */
export const checkImage = taskType<{ catalog: string; product: string; url: string }>('check product image', {
  subject: ({ catalog, product, url }) => `${catalog} ${product} ${url}`,
  concurrencyKey: ({ url }) => new URL(url).host,
})
