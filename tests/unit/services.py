"""Services on loopback that do what a test tells them, and keep what they were asked."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

JSON = "application/sparql-results+json"
YES = b'{"head":{},"boolean":true}'


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        length = int(self.headers.get("content-length") or 0)
        self.query = parse_qs(self.rfile.read(length).decode()).get("query", [""])[0]
        self.server.asked.append((self.command, self.path, self.query, dict(self.headers)))
        self.server.act(self)

    do_GET = do_POST  # noqa: N815 - as the library calls it

    def log_message(self, *_):
        pass

    def send(self, content=YES, status=200, kind=JSON, **headers):
        """Send a response as it should be."""
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)

    def begin(self, length=None, **headers):
        """Send only the head of a response."""
        self.send_response(200)
        self.send_header("content-type", JSON)
        if length is not None:
            self.send_header("content-length", str(length))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()


class Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, *_):
        """A client that goes away is what several tests want."""


@contextmanager
def served(act):
    """Yield a server that answers each request by `act(handler)`; its `url` and what it was `asked`."""
    server = Server(("127.0.0.1", 0), Handler)
    server.act, server.asked = act, []
    server.url = f"http://127.0.0.1:{server.server_port}/sparql"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
