// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.publish;

import io.packing.fuse.posix.node.Node;
import java.util.function.Consumer;

/**
 * A closed file on its way to the table, with the callbacks for its result, of which one runs once. Confined to one
 * thread after the other.
 */
final class ClosedFile {
    final Node node;
    private final Runnable published;
    private final Consumer<Throwable> failed;
    private boolean isTold;

    ClosedFile(Node node, Runnable published, Consumer<Throwable> failed) {
        this.node = node;
        this.published = published;
        this.failed = failed;
    }

    /** Reports that the table has the file, or need not have it. */
    void published() {
        if (!isTold) {
            isTold = true;
            published.run();
        }
    }

    /** Reports that the file failed; its draft keeps the bytes. */
    void failed(Throwable why) {
        if (!isTold) {
            isTold = true;
            failed.accept(why);
        }
    }
}
