# SPDX-License-Identifier: Apache-2.0
"""Transactions of fsspec: the files that are written in ``with fs.transaction:`` appear together, or none does."""

from __future__ import annotations

from typing import Any

from fsspec.transaction import Transaction

from packing_fs import paths


class PackingTransaction(Transaction):
    """The files of a transaction. One vector brings them to their paths."""

    fs: Any

    def complete(self, commit: bool = True) -> None:
        """Lets all files appear, or gives all up."""
        fs, files = self.fs, list(self.files)
        try:
            if commit and files:
                for directory in sorted({paths.parent(file.path) for file in files}):
                    fs.makedirs(directory, exist_ok=True)
                fs.change(
                    [operation for file in files for operation in file.operations()],
                    [condition for file in files for condition in file.preconditions()],
                )
            else:
                for file in files:
                    file.discard()
        except OSError:
            for file in files:
                file.discard()
            raise
        finally:
            self.files.clear()
            fs._intrans = False
            fs._transaction = None
            self.fs = None
