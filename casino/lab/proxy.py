"""A proxy before a server, to see what happens when that is down, hung or slow."""

import asyncio
import contextlib
import threading
from pathlib import Path

SLOW_SECONDS = 2
CHUNK = 65536


class Proxy:
    """`with Proxy(listens, leads_to) as proxy:` passes bytes on from one address to the other, each the path of a unix
    socket or a (host, port).

    `be("down")` refuses connections and breaks those that exist; `"hung"` accepts and is silent; `"slow"` answers after
    two seconds; `"normal"` passes on, first what was held back.
    """

    def __init__(self, listens, leads_to):
        self.listens, self.leads_to = listens, leads_to
        self.state = "normal"
        self._loop = asyncio.new_event_loop()
        self._flows = asyncio.Event()
        self._open = set()
        self._server = None

    def __enter__(self):
        self._thread = threading.Thread(target=self._loop.run_forever, name="proxy", daemon=True)
        self._thread.start()
        self.be("normal")
        return self

    def __exit__(self, *_):
        self.be("down")
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def be(self, state):
        """Turn to another state, at once."""
        asyncio.run_coroutine_threadsafe(self._turn(state), self._loop).result(10)

    async def _turn(self, state):
        self.state = state
        if state == "down":
            await self._shut()
        elif self._server is None:
            self._server = await _listen(self.listens, self._serve)
        if state in {"normal", "slow"}:
            self._flows.set()
        else:
            self._flows.clear()

    async def _shut(self):
        if self._server:
            self._server.close()
            self._server = None
        if isinstance(self.listens, Path):
            self.listens.unlink(missing_ok=True)
        tasks = list(self._open)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, reader, writer):
        task = asyncio.current_task()
        self._open.add(task)
        ends = [writer]
        try:
            there, back = await _connect(self.leads_to)
            ends.append(back)
            ways = [
                asyncio.ensure_future(self.carry(reader, back, answers=False)),
                asyncio.ensure_future(self.carry(there, writer, answers=True)),
            ]
            try:
                # When one side has hung up, so has the other.
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for way in ways:
                    way.cancel()
                await asyncio.gather(*ways, return_exceptions=True)
        except asyncio.CancelledError:
            for end in ends:
                end.transport.abort()
        except OSError:
            pass
        finally:
            self._open.discard(task)
            for end in ends:
                end.close()

    async def carry(self, source, sink, *, answers):
        """One direction of one connection, until its end."""
        with contextlib.suppress(OSError):
            while data := await source.read(CHUNK):
                if answers and self.state == "slow":
                    await asyncio.sleep(SLOW_SECONDS)
                await self._flows.wait()
                sink.write(data)
                await sink.drain()


async def _listen(address, serve):
    if isinstance(address, Path):
        return await asyncio.start_unix_server(serve, address)
    return await asyncio.start_server(serve, *address)


async def _connect(address):
    if isinstance(address, Path):
        return await asyncio.open_unix_connection(address)
    return await asyncio.open_connection(*address)
