/** The kind of a post in indexes: 2 for a repost, 1 for a reply, 0 for anything else. */
export const POST_KIND =
  'case when reposted_post_id is not null then 2 when in_reply_to_post_id is not null then 1 else 0 end'
