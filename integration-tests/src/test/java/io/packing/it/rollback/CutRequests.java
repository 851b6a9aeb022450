// SPDX-License-Identifier: Apache-2.0
package io.packing.it.rollback;

import io.packing.it.rollback.RollbackJudge.Allowed;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

/** The requests that kills of processes cut, until it is seen which of them were done. */
final class CutRequests {
    private static final int MOST_REQUESTS = 9;
    /** The patience of a client whose requests are cut: no answer comes any more. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final RollbackCluster cluster;
    private final RollbackHistory history;
    private final RandomChanges changes;
    private final Random random;
    private final Consumer<String> story;

    CutRequests(
            RollbackCluster cluster,
            RollbackHistory history,
            RandomChanges changes,
            Random random,
            Consumer<String> story) {
        this.cluster = cluster;
        this.history = history;
        this.changes = changes;
        this.random = random;
        this.story = story;
    }

    /** Requests of a client, some of which a kill cuts. */
    final class Sent {
        private final RollbackCluster.Client client;
        private final RequestsUnderWay requests;
        private Optional<Set<RequestsUnderWay.Request>> inTime = Optional.empty();

        private Sent(RollbackCluster.Client client, RequestsUnderWay requests) {
            this.client = client;
            this.requests = requests;
        }

        /** Counts answers that come from now on as none: the process that gave them is as it is now. */
        void cut() {
            inTime = Optional.of(requests.answered());
        }

        /** Ends the client, and notes which requests were answered. */
        void end() throws IOException {
            List<RequestsUnderWay.Request> sent = requests.stop();
            client.close();
            requests.join();
            Set<RequestsUnderWay.Request> answered = inTime.orElseGet(requests::answered);
            for (RequestsUnderWay.Request each : sent) {
                history.sent(each);
                if (answered.contains(each)) {
                    history.done(each);
                }
                story.accept("%s, %s".formatted(each.what(), answered.contains(each) ? "answered" : "not answered"));
            }
        }
    }

    /** Sends requests in half of the cases in which they can be answered. */
    Optional<Sent> send() throws IOException {
        if (!cluster.isWhole() || random.nextBoolean()) {
            return Optional.empty();
        }
        cluster.awaitWorkers();
        RollbackCluster.Client client = cluster.openClient(PATIENCE);
        List<RequestsUnderWay.Request> all = changes.requests(MOST_REQUESTS);
        RequestsUnderWay sent = RequestsUnderWay.send(client.files(), all);
        sent.await(random.nextInt(Math.max(1, all.size() - 1)));
        return Optional.of(new Sent(client, sent));
    }

    /** Sees which of the requests that were not answered have been done; all processes run again. */
    void settle(Allowed allowed) throws IOException {
        // An unread journal may have a request, or bring another file to the path of a write, which is beside it then.
        boolean isUnread = allowed.unread() && cluster.inside().problem().isPresent();
        if (history.unanswered().isEmpty() || isUnread) {
            return;
        }
        cluster.awaitSettled();
        cluster.dropClient();
        FoundTree found = FoundTree.of(cluster.files());
        for (RequestsUnderWay.Request each : history.unanswered()) {
            // The blob may be damaged that has the bytes of a renamed file, which has its new name and its length then.
            int lostFrom = allowed.broken() && each.isRename() ? 0 : allowed.lostFrom();
            if (each.after().entrySet().stream()
                    .allMatch(path -> found.isAfter(path.getKey(), path.getValue(), lostFrom))) {
                history.done(each);
                story.accept("it was done: " + each.what());
            }
        }
        // An unread journal may have a request, and a damaged blob the bytes of one: it is seen to be done once the
        // object is back.
        if (!allowed.isDamaged()) {
            history.forgetUnanswered();
        }
    }
}
