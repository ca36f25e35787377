"""A server that takes what webhooks are sent, and fails as it is told."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = "T0KEN-5ecret"


class Listener(ThreadingHTTPServer):
    """A server that gives the answers it was told to, the last one for ever, and keeps what it is sent."""

    def __init__(self, *answers):
        self.answers, self.taken, self.headers = list(answers), [], []
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/hook/{SECRET}"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        told = self.rfile.read(int(self.headers["content-length"]))
        answers = self.server.answers
        status, headers = answers.pop(0) if len(answers) > 1 else answers[0]
        self.server.headers.append(dict(self.headers))
        if status is None:
            self.connection.close()
            return
        if status == 200:
            self.server.taken.append(json.loads(told))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        """Keep quiet."""


@contextmanager
def listening(*answers):
    server = Listener(*[(one, {}) if not isinstance(one, tuple) else one for one in answers])
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
