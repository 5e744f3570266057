"""Bytes in and out: what every format needs to know about a file before and after its own work."""

from __future__ import annotations

import gzip
import os
import stat
import sys
import zlib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from branchmark.errors import FormatError

PathLike = str | os.PathLike[str]

STREAM = "-"
BLANKS = " \t\r\n\v\f"  # what surrounds a name without belonging to it; the same for every format
HEAD = 64 * 1024  # bytes that decide the format of a file without a telling suffix

# archives that are easily taken for text by their name; gzip is read as it is
_ARCHIVES = {
    b"PK\x03\x04": "a zip archive (or a spreadsheet)",
    b"BZh": "compressed with bzip2",
    b"\xfd7zXZ\x00": "compressed with xz",
    b"\x28\xb5\x2f\xfd": "compressed with zstd",
    b"%PDF": "a PDF document",
}


@dataclass(frozen=True)
class Source:
    """The content of one file and the name it has in messages."""

    name: str
    raw: bytes = field(repr=False)

    @classmethod
    def open(cls, path: PathLike) -> Source:
        """Read a file, unpacked if it is gzip; ``-`` is the standard input."""
        name = os.fspath(path)
        if not isinstance(name, str):
            raise FormatError(f"a path must be text; got {path!r}")
        if name == STREAM:
            name, data = "stdin", sys.stdin.buffer.read()
        else:
            data = _bytes_of(name)
        if data[:2] == b"\x1f\x8b":
            try:
                data = gzip.decompress(data)
            except (EOFError, zlib.error, gzip.BadGzipFile) as error:
                raise FormatError(f"{name}: the gzip file is damaged or incomplete ({error})") from None
        if not data:
            raise FormatError(f"{name}: the file is empty")
        return cls(name, data)

    @property
    def suffix(self) -> str:
        """The last suffix in lower case, .gz aside."""
        path = Path(self.name.lower())
        return Path(path.stem).suffix if path.suffix in (".gz", ".gzip") else path.suffix

    @cached_property
    def data(self) -> bytes:
        """The text as UTF-8 bytes, without byte order mark and with lines that end in a line feed."""
        raw = self.raw
        if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise FormatError(f"{self.name}: the file is UTF-16; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)")
        for magic, what in _ARCHIVES.items():
            if raw.startswith(magic):
                raise FormatError(f"{self.name}: the file is {what}, not text; unpack or export it first")
        start = 3 if raw.startswith(b"\xef\xbb\xbf") else 0
        data = raw[start:]
        if not data:
            raise FormatError(f"{self.name}: the file is empty")
        if not data.isascii():
            try:
                data.decode()
            except UnicodeDecodeError as error:
                line = data.count(b"\n", 0, error.start) + 1
                raise FormatError(
                    f"{self.name}:{line}: byte 0x{data[error.start]:02x} at position {start + error.start:,} "
                    "is not UTF-8; save the file as UTF-8 (for Latin-1: iconv -f LATIN1 -t UTF-8)"
                ) from None
        if (nul := data.find(b"\0")) >= 0:
            line = data.count(b"\n", 0, nul) + 1
            raise FormatError(f"{self.name}:{line}: a NUL byte; the file is UTF-16 or binary, not UTF-8 text")
        if b"\r" in data and b"\n" not in data:
            data = data.replace(b"\r", b"\n")
        return data

    @cached_property
    def text(self) -> str:
        """The whole text."""
        return self.data.decode()

    @cached_property
    def head(self) -> list[str]:
        """The first lines that are not blank, to guess the format from."""
        start = self.data[:HEAD]
        if len(self.data) > HEAD:
            start = start[: start.rfind(b"\n") + 1] or start
        return [line.strip("\r") for line in start.decode(errors="ignore").split("\n") if line.strip()]

    def error(self, problem: str, line: int | None = None) -> FormatError:
        """A FormatError that says where the problem is."""
        return FormatError(f"{self.name}: {problem}" if line is None else f"{self.name}:{line}: {problem}")


def _bytes_of(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except FileNotFoundError:
        raise FormatError(f"{name}: no such file") from None
    except IsADirectoryError:
        raise FormatError(f"{name}: this is a folder, a file is needed") from None
    except PermissionError:
        raise FormatError(f"{name}: no permission to read the file") from None
    except (OSError, ValueError) as error:
        raise FormatError(f"{name}: cannot be read ({_reason(error)})") from None


def write_file(path: PathLike, content: bytes | str) -> None:
    """Write a file in one step: whoever looks sees the old content or the new one, never a part.

    A name that ends in .gz is compressed; ``-`` is the standard output.
    """
    data = content.encode() if isinstance(content, str) else content
    name = os.fspath(path)
    if name == STREAM:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    if name.lower().endswith(".gz"):
        data = gzip.compress(data, mtime=0)  # no time stamp: equal content gives equal files
    try:
        _replace(Path(os.path.realpath(name)), data)
    except FileNotFoundError:
        raise FormatError(f"{name}: cannot be written, the folder does not exist") from None
    except IsADirectoryError:
        raise FormatError(f"{name}: cannot be written, this is a folder") from None
    except PermissionError:
        raise FormatError(f"{name}: cannot be written, no permission") from None
    except (OSError, ValueError) as error:
        raise FormatError(f"{name}: cannot be written ({_reason(error)})") from None


def _replace(target: Path, data: bytes) -> None:
    mode = None
    if target.exists():
        mode = target.stat().st_mode
        if not stat.S_ISREG(mode):
            target.write_bytes(data)  # a device or a pipe must not become a file
            return
        with target.open("ab"):
            pass  # a write-protected file stays, though its folder would allow the replacement
    beside = target.with_name(f".{os.urandom(6).hex()}.part")
    try:
        with open(beside, "xb") as file:
            file.write(data)
        if mode is not None:
            beside.chmod(stat.S_IMODE(mode))
        os.replace(beside, target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
