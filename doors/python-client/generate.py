# SPDX-License-Identifier: Apache-2.0
"""Generates the messages of the protocol from the .proto files. Needs grpcio-tools, as the extra ``test`` has it.

python generate.py [FOLDER]     writes to src, or to another folder
"""

from __future__ import annotations

import sys
from pathlib import Path

from grpc_tools import protoc

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PROTOS = [
    ROOT / "bdt/bdt-api/src/main/proto/packing/bdt/v1/bdt.proto",
    ROOT / "worker-buffer/src/main/proto/packing/worker/v1/peer.proto",
]


def generate(folder: Path) -> None:
    """Writes the package ``packing_fs.protocol`` below a folder."""
    # The virtual folder gives the modules the names by which this package imports them.
    paths = [f"--proto_path=packing_fs/protocol={proto.parent}" for proto in PROTOS]
    outputs = [f"--python_out={folder}", f"--pyi_out={folder}"]
    names = [f"packing_fs/protocol/{proto.name}" for proto in PROTOS]
    if protoc.main(["protoc", *paths, *outputs, *names]) != 0:
        raise SystemExit("protoc failed")


if __name__ == "__main__":
    generate(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "src")
