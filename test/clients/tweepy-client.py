# Drives tweepy, unmodified. Prints what it saw as JSON. The snippet of the guide runs before it.
import json
import os
import threading

import tweepy

keys = json.loads(os.environ["KEYS"])
client = tweepy.Client(**keys)
seen = {}

me = client.get_me(user_fields=["public_metrics"]).data
seen["me"] = me.username

ids = [client.create_tweet(text=f"A bridge, number {n}").data["id"] for n in range(7)]
read = client.get_tweet(
    ids[0], tweet_fields=["author_id", "created_at"], expansions=["author_id"], user_auth=True
)
seen["read"] = [read.data.text, str(read.data.author_id) == str(me.id), read.includes["users"][0].username]
pages = tweepy.Paginator(client.get_users_tweets, me.id, max_results=5, user_auth=True)
seen["pages"] = [str(one.id) for one in pages.flatten(limit=7)] == list(reversed(ids))

reply = client.create_tweet(text="An answer", in_reply_to_tweet_id=ids[0], user_auth=True)
found = client.get_tweet(reply.data["id"], tweet_fields=["referenced_tweets"], user_auth=True)
seen["reply"] = found.data.referenced_tweets[0].type

other = client.get_user(username=os.environ["OTHER"], user_auth=True).data
seen["follow"] = client.follow_user(other.id).data["following"]
seen["following"] = [one.username for one in client.get_users_following(me.id, user_auth=True).data]
seen["unfollow"] = client.unfollow_user(other.id).data["following"]

theirs = client.get_users_tweets(other.id, user_auth=True).data[0]
seen["like"] = client.like(theirs.id).data["liked"]
seen["liked"] = [one.id for one in client.get_liked_tweets(me.id, user_auth=True).data] == [theirs.id]
seen["unlike"] = client.unlike(theirs.id).data["liked"]
seen["repost"] = client.retweet(theirs.id).data["retweeted"]
seen["unrepost"] = client.unretweet(theirs.id).data["retweeted"]

made = client.create_list("Bridges", description="Those of the harbor", private=True).data
client.add_list_member(made["id"], other.id)
seen["members"] = [one.username for one in client.get_list_members(made["id"], user_auth=True).data]
seen["list posts"] = theirs.id in [one.id for one in client.get_list_tweets(made["id"], user_auth=True).data]
seen["owned"] = [one.name for one in client.get_owned_lists(me.id, user_auth=True).data]
seen["deleted list"] = client.delete_list(made["id"]).data["deleted"]

try:
    client.create_tweet(text="")
except tweepy.BadRequest as error:
    seen["error"] = error.response.status_code
try:
    tweepy.Client("AAAAAAAAAAAAAAAAAAAAAnone").get_user(username="demo")
except tweepy.Unauthorized as error:
    seen["unauthorized"] = error.response.status_code


class Reader(tweepy.StreamingClient):
    def on_connect(self):
        threading.Thread(target=lambda: client.create_tweet(text="A ferry for the stream")).start()

    def on_tweet(self, tweet):
        seen.setdefault("stream", []).append(tweet.text)
        self.disconnect()


reader = Reader(keys["bearer_token"], max_retries=0)
seen["rule"] = reader.add_rules(tweepy.StreamRule("ferry", tag="ferries")).meta["summary"]["created"]
reader.filter()
seen["rules"] = [rule.value for rule in reader.get_rules().data]
reader.delete_rules([rule.id for rule in reader.get_rules().data])


class Sample(Reader):
    def on_connect(self):
        threading.Thread(target=lambda: client.create_tweet(text="A buoy for the sample")).start()


Sample(keys["bearer_token"], max_retries=0).sample()

seen["deleted"] = [client.delete_tweet(one).data["deleted"] for one in ids]
print(json.dumps(seen))
