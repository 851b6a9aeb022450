// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.tokens;

import io.packing.bdt.MasterGroupKeys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the other groups of masters again and again what they say of their tokens, each by a thread of its own. Thread-safe. */
public final class KeyReportPoller implements AutoCloseable {
    /** With the time of a call, a token that was cancelled is refused by masters of other groups 5 s later. */
    private static final long ASK_MILLIS = 3_000;

    private static final long STOP_MILLIS = 2_000;
    private static final Logger LOG = LoggerFactory.getLogger(KeyReportPoller.class);

    private final OtherMasterGroups groups;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();

    /** Asks one group. */
    public interface Question {
        MasterGroupKeys ask() throws IOException;
    }

    private KeyReportPoller(OtherMasterGroups groups) {
        this.groups = groups;
    }

    /** Begins to ask. */
    public static KeyReportPoller start(OtherMasterGroups groups, Map<String, ? extends Question> questions) {
        KeyReportPoller asked = new KeyReportPoller(groups);
        questions.forEach((group, question) ->
                asked.threads.add(new Thread(() -> asked.run(group, question), "tokens-of-" + group)));
        asked.threads.forEach(thread -> {
            thread.setDaemon(true);
            thread.start();
        });
        return asked;
    }

    private void run(String group, Question question) {
        try {
            boolean answers = true;
            do {
                answers = ask(group, question, answers);
            } while (!closed.await(ASK_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Error e) {
            // This master would not hear which of its tokens were cancelled.
            groups.forget(group);
            LOG.error("no token of group {} is accepted any more, restart the master", group, e);
            throw e;
        }
    }

    /** Returns whether the group has answered. */
    private boolean ask(String group, Question question, boolean answered) {
        try {
            groups.take(group, question.ask());
            if (!answered) {
                LOG.info("group {} says again which tokens it has issued and refused", group);
            }
            return true;
        } catch (IOException | RuntimeException e) {
            if (answered && closed.getCount() > 0) {
                LOG.warn(
                        "group {} does not say which tokens it has issued and refused; those of {} count: {}",
                        group,
                        groups.heard(group).map(Object::toString).orElse("never"),
                        e.toString());
            }
            return false;
        }
    }

    @Override
    public void close() {
        closed.countDown();
        threads.forEach(Thread::interrupt);
        for (Thread thread : threads) {
            try {
                thread.join(STOP_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
