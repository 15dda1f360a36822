/** Posts by several users about the same three topics, and others, by author. */
export const POSTS: readonly (readonly [author: 'ann' | 'bob' | 'cid', text: string])[] = [
  [
    'ann',
    'The Harbor Bridge in Riverton is closed after the flood. More soon. #RivertonFlood https://news.example.com/bridge?a=1',
  ],
  ['bob', 'Harbor Bridge closed again, the flood took two pillars #RivertonFlood'],
  ['cid', 'Mayor Jane Ortiz says the Harbor Bridge stays closed until the flood is over'],
  ['ann', 'Riverton United won the cup final against Lakeside Rovers!'],
  ['bob', 'What a match! Riverton United beat Lakeside Rovers in the cup final'],
  ['cid', 'Riverton United 2, Lakeside Rovers 1. A great cup final in Lisbon'],
  ['ann', '$ACME falls after the recall of the ACME X200'],
  ['bob', 'Recall of every ACME X200: $ACME down'],
  ['cid', 'They recall the ACME X200, and $ACME is down 5 percent'],
  ['cid', 'Good morning everyone, coffee first'],
  ['bob', 'Good morning, coffee and cake'],
  ['ann', 'good morning with coffee'],
  ['bob', 'A comet passes Saturn on Sunday'],
  ['ann', 'The comet behind Saturn is bright'],
]
