# Drives the gem oauth, unmodified. Prints what it saw as JSON.
require 'json'
require 'oauth'

keys = JSON.parse(ENV.fetch('KEYS'))
site = ENV.fetch('SITE')
consumer = OAuth::Consumer.new(keys['consumer_key'], keys['consumer_secret'], site: site, ca_file: ENV.fetch('CA_FILE'))
token = OAuth::AccessToken.new(consumer, keys['access_token'], keys['access_token_secret'])
json = { 'Content-Type' => 'application/json' }
data = ->(reply) { JSON.parse(reply.body)['data'] }
seen = {}

seen['me'] = data[token.get('/2/users/me')]['username']
made = data[token.post('/2/posts', JSON.generate(text: 'Über die Brücke & zurück, 100 %'), json)]
seen['text'] = data[token.get("/2/posts/#{made['id']}?post.fields=author_id")]['text']
seen['verified'] = JSON.parse(token.get('/1.1/account/verify_credentials.json?include_entities=true&x=a%20b%2Bc').body)['screen_name']
seen['found'] = token.get('/2/posts/search/recent?query=br%C3%BCcke%20from%3Ademo').code
seen['deleted'] = data[token.delete("/2/posts/#{made['id']}")]['deleted']
wrong = OAuth::AccessToken.new(consumer, keys['access_token'], 'wrong')
seen['wrong'] = wrong.get('/2/users/me').code

request = consumer.get_request_token(oauth_callback: 'oob')
seen['authorize'] = request.authorize_url.start_with?("#{site}/oauth/authorize?oauth_token=")
puts JSON.generate(seen)
