"""A folder as one tar, made while it is sent: nothing of it is kept, in memory or on disk, however large it is."""

import asyncio
import tarfile

CHUNK = 1024 * 1024


class Tarball:
    """The files of a folder, below a name of their own; `size` is known before the first byte.

    Nobody may write to the files meanwhile; a file that got shorter breaks the stream off.
    """

    def __init__(self, folder, *, name, at):
        self.members = []
        for path in sorted(path for path in folder.iterdir() if path.is_file()):
            member = tarfile.TarInfo(f"{name}/{path.name}")
            member.size, member.mtime = path.stat().st_size, int(at.timestamp())
            self.members.append((path, member))
        self.size = sum(tarfile.BLOCKSIZE + member.size + _padding(member) for _, member in self.members)
        # A tar ends with two empty blocks, and with a whole record.
        self.end = 2 * tarfile.BLOCKSIZE
        self.end += -(self.size + self.end) % tarfile.RECORDSIZE
        self.size += self.end

    async def stream(self):
        """The bytes, piece by piece; files are read in threads, so that nothing else waits for the disk."""
        for path, member in self.members:
            yield member.tobuf(tarfile.GNU_FORMAT)
            left = member.size
            with await asyncio.to_thread(path.open, "rb") as file:
                while left:
                    chunk = await asyncio.to_thread(file.read, min(CHUNK, left))
                    if not chunk:
                        raise OSError(f"{path.name} got shorter while it was sent.")
                    left -= len(chunk)
                    yield chunk
            yield bytes(_padding(member))
        yield bytes(self.end)


def _padding(member):
    return -member.size % tarfile.BLOCKSIZE
