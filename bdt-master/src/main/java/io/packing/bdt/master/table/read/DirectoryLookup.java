// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.bdt.master.table.row.Inode;
import java.io.IOException;
import java.util.Optional;

/** A lookup of directory entries, with or without a cache. */
interface DirectoryLookup {
    /** Returns the inode of an entry; empty: there is no such entry. */
    Optional<Inode> entry(long parent, String name) throws IOException;
}
