import { taskType } from '../../../platform/queue/task.ts'

// `user` owns the catalog.

/** Processes the products that changed since a set with filters last did. */
export const processSet = taskType<{ catalog: string; set: string; user: string }>('process product set', {
  owner: ({ user }) => user,
  subject: ({ set }) => set,
})

/** Removes the rows of a deleted catalog or set. */
export const removeRows = taskType<{ of: 'catalog' | 'set'; id: string; user: string }>(
  'remove catalog rows',
  {
    owner: ({ user }) => user,
    subject: ({ of, id }) => `${of} ${id}`,
  },
)

/** An image of a product. */
export interface ProductImage {
  catalog: string
  product: string
  url: string
  user: string
}

/** Fetches and inspects an image of a product. Images of one host are fetched one after another. */
export const checkImage = taskType<ProductImage>('check product image', {
  owner: ({ user }) => user,
  subject: ({ catalog, product, url }) => `${catalog} ${product} ${url}`,
  concurrencyKey: ({ url }) => new URL(url).host,
})
