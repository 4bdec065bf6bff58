"""The SMTP server of the mail tests: aiosmtpd on a free port of the loopback.

Prints its port, writes every accepted message into the given folder, and exits when its standard input is closed.
The name in the address decides the reply: `unknown@` is refused permanently, `busy@` temporarily, both until the folder has
a file `free`; a message to `spam@` is refused permanently after its data.

The second argument is the kind of TLS: `plain`, `starttls` or `implicit`. The certificate with its key is `server.pem` in
the folder, read for each connection. The server accepts mail in the clear, too: the first header of each message says how
it arrived, and a MAIL FROM in the clear creates the file `clear`.
"""

import asyncio
import os
import ssl
import sys

from aiosmtpd.smtp import SMTP


class Handler:
    def __init__(self, folder):
        self.folder = folder
        self.count = 0

    async def handle_MAIL(self, server, session, envelope, address, options):
        if not is_secure(server, session):
            open(os.path.join(self.folder, "clear"), "w").close()
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        free = os.path.exists(os.path.join(self.folder, "free"))
        if address.startswith("unknown@") and not free:
            return f"550 5.1.1 {address}: nobody of that name"
        if address.startswith("busy@") and not free:
            return f"450 4.2.0 {address}: come back later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if any(address.startswith("spam@") for address in envelope.rcpt_tos):
            return "554 5.6.0 this is not wanted"
        self.count += 1
        place = os.path.join(self.folder, f"{self.count:04}")
        with open(place + ".partial", "wb") as file:
            file.write(b"X-Came-Over: " + (b"TLS" if is_secure(server, session) else b"clear") + b"\r\n")
            file.write(b"X-Envelope-To: " + ", ".join(envelope.rcpt_tos).encode() + b"\r\n" + envelope.original_content)
        os.rename(place + ".partial", place + ".eml")
        return "250 OK"


def is_secure(server, session):
    return session.ssl is not None or server.transport.get_extra_info("ssl_object") is not None


async def main():
    folder, kind = sys.argv[1:]
    handler, context = Handler(folder), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)

    def connected():
        if kind != "plain":
            context.load_cert_chain(os.path.join(folder, "server.pem"))
        return SMTP(handler, hostname="localhost", tls_context=context if kind == "starttls" else None)

    loop = asyncio.get_running_loop()
    server = await loop.create_server(connected, "127.0.0.1", 0, ssl=context if kind == "implicit" else None)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


asyncio.run(main())
