/** The body of a delivery with the number `n`: as long as that of a post with its author. */
export const deliveryBody = (n: number): string =>
  JSON.stringify({
    data: {
      event_uuid: String(1_900_000_000_000_000_000n + BigInt(n)),
      event_type: 'post.create',
      filter: { user_id: '1900000000000000001' },
      tag: 'bench',
      payload: {
        id: '1900000000000000002',
        text: `A post that says something, with a word and a number n${n} ${'and more of it '.repeat(8)}`,
        author_id: '1900000000000000001',
        created_at: '2026-01-01T00:00:00.000Z',
        edit_history_post_ids: ['1900000000000000002'],
      },
    },
  })
