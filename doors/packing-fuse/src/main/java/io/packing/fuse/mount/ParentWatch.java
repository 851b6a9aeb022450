// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.mount;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A watch over the keeper: its server must notice when it is killed, and unmount. */
public final class ParentWatch {
    /** An environment variable with the keeper's pid: a keeper that ends while its server starts leaves it to another parent. */
    private static final String KEEPER = "PACKING_KEEPER";

    private ParentWatch() {}

    /** Runs once when the keeper that started this process has ended, also when it ended before this call. */
    public static void onExit(Runnable action) {
        onExit(Optional.ofNullable(System.getenv(KEEPER)).map(Long::valueOf), action);
    }

    /** @param keeper the keeper's pid; empty: it is the parent's */
    static void onExit(Optional<Long> keeper, Runnable action) {
        Optional<ProcessHandle> watched = keeper.isPresent()
                ? ProcessHandle.of(keeper.get())
                : ProcessHandle.current().parent();
        if (watched.isEmpty()) {
            action.run();
            return;
        }
        CompletableFuture<Void> unused = watched.get().onExit().thenRun(action);
    }
}
