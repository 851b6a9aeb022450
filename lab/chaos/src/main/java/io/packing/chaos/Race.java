// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos;

import io.packing.chaos.client.ClientReply;
import io.packing.chaos.client.ClientReply.Outcome;
import io.packing.chaos.client.ClientRequest;
import io.packing.chaos.client.DoorKind;
import io.packing.chaos.cluster.ClientThread;
import io.packing.chaos.model.ModelOperation;
import io.packing.chaos.model.Violation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A race of all clients for one new file: several threads create it exclusively at once, and at most one may be
 * acknowledged.
 */
final class Race implements AutoCloseable {
    static final String ROOT = "/shared";
    private static final int RUNNERS = 4;

    private final Stage stage;
    private final SplittableRandom random;
    private final List<ClientThread> callers = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(RUNNERS);
    private int names;

    Race(Stage stage, SplittableRandom random) {
        this.stage = stage;
        this.random = random;
        for (int i = 0; i < RUNNERS; i++) {
            callers.add(new ClientThread(
                    stage.cluster().clients().get(i % stage.cluster().clients().size()), stage.journal()::note));
        }
    }

    void step() throws IOException, InterruptedException {
        stage.peace().readLock().lock();
        try {
            run("%s/race-%d".formatted(ROOT, names++));
        } finally {
            stage.peace().readLock().unlock();
        }
        stage.counts().add("races");
        stage.counts().add("operations", RUNNERS);
    }

    private void run(String path) throws InterruptedException {
        List<ModelOperation> changes = new ArrayList<>();
        List<Future<ClientReply>> replies = new ArrayList<>();
        for (int i = 0; i < RUNNERS; i++) {
            ClientThread caller = callers.get(i);
            ModelOperation change = stage.model().create(path, Sizes.small(random), 0644);
            ClientRequest request = ClientRequest.create(
                    i < RUNNERS / 2 ? DoorKind.HADOOP : DoorKind.WORKER,
                    path,
                    change.created().orElseThrow().content(),
                    0644,
                    false);
            changes.add(change);
            replies.add(threads.submit(() -> caller.ask(request)));
        }
        List<ModelOperation> acknowledged = new ArrayList<>();
        List<ModelOperation> unknown = new ArrayList<>();
        for (int i = 0; i < RUNNERS; i++) {
            ClientReply reply = get(replies.get(i));
            if (reply.isDone()) {
                acknowledged.add(changes.get(i));
            } else if (reply.outcome() == Outcome.UNKNOWN) {
                unknown.add(changes.get(i));
            }
        }
        if (acknowledged.size() > 1) {
            stage.journal()
                    .violation(new Violation(
                            Violation.Kind.LOST,
                            path,
                            "%d exclusive creates succeeded".formatted(acknowledged.size())));
        }
        stage.model().race(path, changes, acknowledged, unknown);
    }

    private static ClientReply get(Future<ClientReply> reply) throws InterruptedException {
        try {
            return reply.get();
        } catch (ExecutionException e) {
            return ClientReply.unknown(String.valueOf(e.getCause()));
        }
    }

    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        for (ClientThread caller : callers) {
            caller.close();
        }
    }
}
