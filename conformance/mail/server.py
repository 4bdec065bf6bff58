"""A real SMTP server for the tests of mail: aiosmtpd, on a free port of the loopback.

Prints its port, writes every message it takes into the folder it is given, and ends when its standard input does.
What it refuses is told by the name in the address: `unknown@` is refused for good, `busy@` for now.
"""

import asyncio
import os
import sys

from aiosmtpd.smtp import SMTP


class Handler:
    def __init__(self, folder):
        self.folder = folder
        self.count = 0

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("unknown@"):
            return f"550 5.1.1 {address}: nobody of that name"
        if address.startswith("busy@") and not os.path.exists(os.path.join(self.folder, "free")):
            return f"451 4.3.0 {address}: come back later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        self.count += 1
        place = os.path.join(self.folder, f"{self.count:04}")
        with open(place + ".partial", "wb") as file:
            file.write(b"X-Envelope-To: " + ", ".join(envelope.rcpt_tos).encode() + b"\r\n" + envelope.original_content)
        os.rename(place + ".partial", place + ".eml")
        return "250 OK"


async def main():
    handler = Handler(sys.argv[1])
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(handler, hostname="localhost"), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


asyncio.run(main())
