// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import io.packing.blob.FilePath;
import java.io.IOException;

/** Reports that a file was not appended, since the other one is not as its writer knew it: another writer changed or moved it. */
public final class ChangedFileException extends IOException {
    private static final long serialVersionUID = 1L;

    public ChangedFileException(FilePath path) {
        super("%s was not appended: the file that it belongs to has another version by now".formatted(path));
    }
}
