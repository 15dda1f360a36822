/** The user whom the documents show. */
export const USER = { id: '1900000000000000007', name: 'Demo Developer', username: 'demo' }
