/**
 * The users, app and accounts of the demo seed without its content, so that tests see only what
 * they add.
 */
export const smallSeed = {
  users: [
    { screen_name: 'demo', name: 'Demo Developer', note_writer: 'top' },
    { screen_name: 'advertiser', name: 'Demo Advertiser' },
  ],
  apps: [
    {
      name: 'Demo app',
      website: 'https://app.example.com/',
      owner: 'demo',
      callbacks: [
        'http://127.0.0.1:3000/callback',
        'http://localhost:3000/callback',
        'https://app.example.com/callback',
      ],
      permission: 'read-write-directmessages',
      kind: 'web',
      enterprise: true,
      sign_in: true,
      grants: [
        { user: 'demo', access: 'read-write-directmessages' },
        { user: 'advertiser', access: 'read-write-directmessages' },
      ],
    },
  ],
  accounts: ['production', 'sandbox'].map((environment) => ({
    name: environment === 'sandbox' ? 'Demo sandbox account' : 'Demo account',
    owner: 'advertiser',
    environment,
    users: [{ user: 'demo', roles: ['AD_MANAGER', 'POST_COMPOSER'] }],
    funding: [{ currency: 'USD', type: 'CREDIT_LINE', credit_limit_local_micro: 10_000_000_000 }],
  })),
}
