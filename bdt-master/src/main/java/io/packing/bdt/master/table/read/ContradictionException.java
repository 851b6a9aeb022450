// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.blob.FilePath;
import java.io.IOException;

/** A row of the table names what the table does not have. */
final class ContradictionException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Reports a file that has bytes of a content that is nowhere. */
    ContradictionException(FilePath path, long content) {
        this("%s has bytes of content %d, which is not there".formatted(path, content));
    }

    ContradictionException(String message) {
        super(message);
    }
}
