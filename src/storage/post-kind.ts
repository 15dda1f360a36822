/** What a post is, as an index holds it: 2 a repost, 1 a reply, 0 anything else. */
export const POST_KIND =
  'case when reposted_post_id is not null then 2 when in_reply_to_post_id is not null then 1 else 0 end'
