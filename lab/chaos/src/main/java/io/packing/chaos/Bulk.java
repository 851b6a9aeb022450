// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos;

import io.packing.chaos.client.ClientReply;
import io.packing.chaos.client.ClientRequest;
import io.packing.chaos.client.ClientRequest.Action;
import io.packing.chaos.client.DoorKind;
import io.packing.chaos.cluster.ClientThread;
import io.packing.chaos.model.ModelOperation;
import io.packing.chaos.model.SeededContent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A load of 2 MB files, most of which are deleted again: enough for the master to compact blobs, which it does only to
 * win back 64 MiB.
 */
final class Bulk {
    private static final String ROOT = "/bulk";
    private static final int THREADS = 8;
    private static final int FILES_OF_EACH = 8;
    private static final int BYTES = 2_000_000;
    /**
     * The share of files that stay, so that few blobs lose all their files: such blobs are collected, not compacted.
     */
    private static final int KEEP_ONE_OF = 4;

    private static final long POLL_MILLIS = 200;
    private static final int POLLS = 75;

    private final Stage stage;
    private final SplittableRandom random;
    private final List<String> paths = new ArrayList<>();
    private int names;

    Bulk(Stage stage, SplittableRandom random) {
        this.stage = stage;
        this.random = random;
    }

    private ClientThread caller(int thread) {
        return new ClientThread(
                stage.cluster().clients().get(thread % stage.cluster().clients().size()), stage.journal()::note);
    }

    /** Writes the files with several threads. So files share blobs even if each close waits for its upload. */
    void write() throws IOException, InterruptedException {
        List<Callable<Boolean>> parts = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            List<ClientRequest> requests = new ArrayList<>();
            for (int i = 0; i < FILES_OF_EACH; i++) {
                // An odd seed gives bytes that do not compress.
                SeededContent content = new SeededContent(random.nextLong() | 1, BYTES);
                String path = "%s/b%d".formatted(ROOT, names++);
                paths.add(path);
                requests.add(ClientRequest.create(DoorKind.WORKER, path, content, 0644, true));
            }
            int number = thread;
            parts.add(() -> {
                try (ClientThread caller = caller(number)) {
                    for (ClientRequest request : requests) {
                        ModelOperation change = stage.model()
                                .create(request.path(), request.contents().get(0), request.mode());
                        settle(change, caller.ask(request));
                    }
                }
                return true;
            });
        }
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            for (Future<Boolean> part : threads.invokeAll(parts)) {
                part.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("large files could not be written", e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    void deleteMost() throws IOException, InterruptedException {
        try (ClientThread caller = caller(0)) {
            for (String path : paths) {
                if (random.nextInt(KEEP_ONE_OF) != 0 && stage.model().isTouchable(path)) {
                    ModelOperation change = stage.model().delete(path);
                    settle(change, caller.ask(ClientRequest.simple(Action.DELETE, DoorKind.HADOOP, path, false)));
                }
            }
        }
        paths.clear();
    }

    /** Waits for a compaction, for at most 15 seconds. */
    void awaitCompaction() throws IOException, InterruptedException {
        for (int i = 0; i < POLLS && stage.cluster().compactions() == 0; i++) {
            Stage.pause(POLL_MILLIS);
        }
    }

    private void settle(ModelOperation change, ClientReply reply) {
        stage.counts().add("operations");
        if (reply.isDone()) {
            stage.model().done(change);
        } else if (reply.outcome() == ClientReply.Outcome.UNKNOWN) {
            stage.model().unknown(change);
        } else {
            stage.model().refused(change);
        }
    }
}
