// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.mount;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A watch over the keeper: when it is killed, the server must notice that and unmount. */
public final class ParentWatch {
    private ParentWatch() {}

    /** Runs once when the process that started this one has ended. */
    public static void onExit(Runnable action) {
        Optional<ProcessHandle> parent = ProcessHandle.current().parent();
        if (parent.isEmpty()) {
            action.run();
            return;
        }
        CompletableFuture<Void> unused = parent.get().onExit().thenRun(action);
    }
}
