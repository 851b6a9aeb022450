package io.packing.fuse.mount;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A server whose keeper is killed has nobody who unmounts after it: it must see that and do it. */
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
