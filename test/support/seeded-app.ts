/** An app of a seed, with a token of its owner. */
export const seededApp = (owner: string, more: { enterprise?: boolean } = {}) => ({
  ...{ name: 'App', website: 'https://app.example/', owner, callbacks: [] },
  ...{ permission: 'read-write' as const, kind: 'web' as const, sign_in: false, ...more },
  grants: [{ user: owner, access: 'read-write' as const }],
})
