"""Where an endpoint is: redirects within its host alone, and nothing secret shown of an address."""

import pytest
from tests.unit.services import served

from assay.errors import InputError
from assay.graph.sparql.addresses import Address, masked
from assay.graph.sparql.endpoint import Endpoint


def asked(act, **options):
    with served(act) as server, Endpoint(server.url, **options) as endpoint:
        found = endpoint.ask("ASK {}")
    return found, server.asked


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_within_the_host_is_followed(status):
    method = "GET" if status == 303 else "POST"

    def act(handler):
        if handler.path == "/sparql":
            handler.send(b"", status, location="/there?x=1")
        else:
            handler.send()

    found, requests = asked(act)
    assert found.boolean is True
    assert requests[1][:2] == (method, "/there?x=1")
    assert (requests[1][2] == "ASK {}") == (method == "POST")


def test_a_redirect_to_another_place_is_not_followed():
    with served(lambda handler: handler.send()) as other:
        found, requests = asked(
            lambda handler: handler.send(b"", 307, location=other.url.replace("//", "//u:secret@")),
            headers={"Authorization": "Bearer t"},
        )
        assert not other.asked
    assert found.status == "error"
    assert "a redirect to another host, http://127.0.0.1" in found.message
    assert "secret" not in found.message
    assert len(requests) == 1


@pytest.mark.parametrize(
    "location", ["//[", "file:///etc/passwd", "javascript:1", "http://", "", "http://127.0.0.1:99999/"]
)
def test_a_redirect_to_nowhere_is_an_error(location):
    found, _ = asked(lambda handler: handler.send(b"", 302, location=location))
    assert found.status == "error"


def test_redirects_in_a_circle_end():
    found, requests = asked(lambda handler: handler.send(b"", 307, location="/sparql"))
    assert "more than 5 redirects" in found.message
    assert len(requests) == 5


def test_a_name_and_password_are_sent_and_never_shown():
    with served(lambda handler: handler.send(b"no", 403)) as server:
        url = server.url.replace("//", "//me:s%40cret@") + "?token=abc"
        with Endpoint(url) as endpoint:
            found = endpoint.ask("ASK {}")
            shown = endpoint.name + found.message + repr(Address.of(url))
    assert server.asked[0][3]["Authorization"] == "Basic bWU6c0BjcmV0"
    assert server.asked[0][1] == "/sparql?token=abc"
    assert "cret" not in endpoint.name + found.message
    assert "abc" not in endpoint.name + found.message
    assert "cret" not in shown


@pytest.mark.parametrize(
    "url", ["example.org/sparql", "ftp://x/", "file:///etc/passwd", "http://", "http://x:y/", "http://[x/"]
)
def test_an_address_of_something_else_is_refused(url):
    with pytest.raises(InputError, match="expected an address such as"):
        Endpoint(url)


def test_https_may_follow_http_and_not_the_other_way_round():
    plain, safe = Address.of("http://x.org/a"), Address.of("https://x.org/b")
    assert safe.within(plain)
    assert not plain.within(safe)
    assert not Address.of("http://x.org:81/").within(plain)
    assert plain.joined("//evil.org/").within(plain) is False


def test_an_address_that_cannot_be_taken_apart_is_shown_without_its_password():
    assert masked("http://u:p@[::x/q") == "http://[::x/q"
