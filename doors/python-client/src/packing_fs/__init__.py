# SPDX-License-Identifier: Apache-2.0
"""An fsspec file system over packing: ``fsspec.open("packing://HOST:PORT/file")``."""

from packing_fs.errors import UnavailableError, UntrustedError, VectorRefusedError
from packing_fs.filesystem import PackingFileSystem

__all__ = ["PackingFileSystem", "UnavailableError", "UntrustedError", "VectorRefusedError"]
