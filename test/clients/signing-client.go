// Drives the package oauth of mrjones, unmodified. Prints what it saw as JSON.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/mrjones/oauth"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	var keys map[string]string
	check(json.Unmarshal([]byte(os.Getenv("KEYS")), &keys))
	site := os.Getenv("SITE")
	pem, err := os.ReadFile(os.Getenv("CA_FILE"))
	check(err)
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, TLSClientConfig: &tls.Config{RootCAs: pool}}
	consumer := oauth.NewCustomHttpClientConsumer(keys["consumer_key"], keys["consumer_secret"], oauth.ServiceProvider{
		RequestTokenUrl:   site + "/oauth/request_token",
		AuthorizeTokenUrl: site + "/oauth/authorize",
		AccessTokenUrl:    site + "/oauth/access_token",
		HttpMethod:        "POST",
	}, &http.Client{Transport: transport})
	token := func(secret string) *http.Client {
		client, err := consumer.MakeHttpClient(&oauth.AccessToken{Token: keys["access_token"], Secret: secret})
		check(err)
		return client
	}
	client := token(keys["access_token_secret"])
	call := func(method, path, body string) (map[string]interface{}, int) {
		request, err := http.NewRequest(method, site+path, strings.NewReader(body))
		check(err)
		if body != "" {
			request.Header.Set("Content-Type", "application/json")
		}
		reply, err := client.Do(request)
		check(err)
		defer reply.Body.Close()
		text, err := io.ReadAll(reply.Body)
		check(err)
		var value map[string]interface{}
		check(json.Unmarshal(text, &value))
		return value, reply.StatusCode
	}
	data := func(method, path, body string) map[string]interface{} {
		value, status := call(method, path, body)
		if value["data"] == nil {
			panic(fmt.Sprint(method, " ", path, " ", status, " ", value))
		}
		return value["data"].(map[string]interface{})
	}
	seen := map[string]interface{}{}
	seen["me"] = data("GET", "/2/users/me", "")["username"]
	body, err := json.Marshal(map[string]string{"text": "Über die Brücke & zurück, 100 %"})
	check(err)
	id := data("POST", "/2/posts", string(body))["id"].(string)
	seen["text"] = data("GET", "/2/posts/"+id+"?post.fields=author_id", "")["text"]
	verified, _ := call("GET", "/1.1/account/verify_credentials.json?include_entities=true&x=a%20b%2Bc", "")
	seen["verified"] = verified["screen_name"]
	_, found := call("GET", "/2/posts/search/recent?query=br%C3%BCcke%20from%3Ademo", "")
	seen["found"] = fmt.Sprint(found)
	seen["deleted"] = data("DELETE", "/2/posts/"+id, "")["deleted"]
	wrong, err := token("wrong").Get(site + "/2/users/me")
	check(err)
	seen["wrong"] = fmt.Sprint(wrong.StatusCode)
	_, address, err := consumer.GetRequestTokenAndUrl("oob")
	check(err)
	seen["authorize"] = strings.HasPrefix(address, site+"/oauth/authorize?oauth_token=")
	text, err := json.Marshal(seen)
	check(err)
	fmt.Println(string(text))
}
