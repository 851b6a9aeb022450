// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import io.packing.registry.files.Interruptions;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** The contents of one layer, stored by other threads while it is cut. Confined to the thread that cuts. */
final class PendingContents {
    /** Contents under way. */
    private static final int MOST_PENDING = 32;

    private final ContentStore contents;
    private final ExecutorService threads;
    private final Deque<Future<?>> pending = new ArrayDeque<>();
    private final Set<String> distinct = new LinkedHashSet<>();
    private final int most;

    /** @param most different contents of the layer */
    PendingContents(ContentStore contents, ExecutorService threads, int most) {
        this.contents = contents;
        this.threads = threads;
        this.most = most;
    }

    /** Has a content stored, unless this layer has it already. The caller does not change the bytes any more. */
    void put(String hex, byte[] held) throws IOException {
        if (!add(hex)) {
            return;
        }
        if (pending.size() == MOST_PENDING) {
            Interruptions.get(pending.remove());
        }
        Callable<Boolean> store = () -> {
            contents.put(hex, held);
            return true;
        };
        pending.add(threads.submit(store));
    }

    /** Notes a content of the layer that is stored. */
    void stored(String hex) throws LayerLimitException {
        boolean unused = add(hex);
    }

    private boolean add(String hex) throws LayerLimitException {
        boolean added = distinct.add(hex);
        if (distinct.size() > most) {
            throw LayerLimitException.entries("different files", most);
        }
        return added;
    }

    /** Returns the hashes of all contents, once they are stored. */
    Set<String> finish() throws IOException {
        while (!pending.isEmpty()) {
            Interruptions.get(pending.remove());
        }
        return distinct;
    }

    /** Cancels the work under way. */
    void cancel() {
        pending.forEach(each -> each.cancel(false));
    }
}
