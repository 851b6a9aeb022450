# SPDX-License-Identifier: Apache-2.0
"""The messages of the protocol, generated from the repository's .proto files by ``generate.py``."""
