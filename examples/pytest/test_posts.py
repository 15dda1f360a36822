"""Calls Plaza with the standard library alone; any client works as well."""

import base64
import json
import ssl
import urllib.error
import urllib.request

import pytest


@pytest.fixture(scope="session")
def call(plaza):
    """Sends a request as the app, and returns the JSON of the reply."""
    trust = ssl.create_default_context(cafile=plaza["ca_file"])

    def send(path, authorization, form=None):
        request = urllib.request.Request(
            plaza["core_url"] + path,
            data=form,
            headers={"authorization": authorization},
        )
        with urllib.request.urlopen(request, context=trust) as reply:
            return json.load(reply)

    app = plaza["app"]
    basic = base64.b64encode(f"{app['consumer_key']}:{app['consumer_secret']}".encode())
    reply = send("/oauth2/token", f"Basic {basic.decode()}", b"grant_type=client_credentials")
    return lambda path: send(path, f"Bearer {reply['access_token']}")


def test_a_user_is_found_by_name(plaza, call):
    name = plaza["user"]["screen_name"]
    assert call(f"/2/users/by/username/{name}")["data"]["id"] == plaza["user"]["id"]


def test_an_id_that_is_no_number_is_rejected(call):
    with pytest.raises(urllib.error.HTTPError) as error:
        call("/2/posts/abc")
    assert error.value.code == 400
    assert json.load(error.value)["title"] == "Invalid Request"
