// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.log;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The answers of a mount's writer, which another thread gives. */
final class MountAnswers {
    private static final Logger LOG = LoggerFactory.getLogger(MountAnswers.class);

    private final String mount;
    private final Executor thread;

    MountAnswers(String mount, Executor thread) {
        this.mount = mount;
        this.thread = thread;
    }

    static <T> void complete(CompletableFuture<T> future, T result) {
        if (!future.complete(result)) {
            LOG.debug("nobody waits for an answer any more");
        }
    }

    static void fail(CompletableFuture<?> future, Throwable why) {
        if (!future.completeExceptionally(why)) {
            LOG.debug("nobody waits for a failure any more", why);
        }
    }

    /** Runs all of them, on the thread for answers or, when there is none any more, here. */
    void give(List<Runnable> those) {
        if (those.isEmpty()) {
            return;
        }
        Runnable all = () -> those.forEach(this::giveOne);
        try {
            thread.execute(all);
        } catch (RejectedExecutionException | Error e) {
            LOG.debug("mount {}: answers from the thread that has them", mount, e);
            all.run();
        }
    }

    private void giveOne(Runnable answer) {
        try {
            answer.run();
        } catch (Throwable e) {
            LOG.error("mount {}: the receiver of an answer failed", mount, e);
        }
    }
}
