// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.UnavailableException;
import io.packing.blob.FilePath;
import io.packing.process.Await;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lookups that share requests, at a master that answers when the test lets it. */
@Timeout(60)
class SharedLookupsTest {
    private static final int CALLS = 12;

    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private final Semaphore answers = new Semaphore(0);
    private Answer answer =
            paths -> paths.stream().map(path -> FoundEntry.NOTHING).toList();
    private final ExecutorService threads = Executors.newFixedThreadPool(CALLS);

    private interface Answer {
        List<FoundEntry> to(List<FilePath> paths) throws IOException;
    }

    private final SharedLookups lookups = new SharedLookups((Bdt) Proxy.newProxyInstance(
            Bdt.class.getClassLoader(), new Class<?>[] {Bdt.class}, (proxy, method, arguments) -> {
                if (arguments[0] instanceof List<?> many) {
                    List<FilePath> paths =
                            many.stream().map(FilePath.class::cast).toList();
                    asked.add(method.getName() + " " + paths.size());
                    answers.acquire();
                    return answer.to(paths);
                }
                asked.add(method.getName() + " " + arguments[0]);
                answers.acquire();
                return Optional.empty();
            }));

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private Future<Optional<FileStatus>> stat(int number) {
        return threads.submit(() -> lookups.stat(new FilePath("/" + number)));
    }

    private void awaitAsked(int requests) throws Exception {
        Await.until("%d requests".formatted(requests), () -> asked.size() == requests);
    }

    /** Starts two lookups, whose requests are on their way, and ten that wait. */
    private List<Future<Optional<FileStatus>>> startAll() throws Exception {
        List<Future<Optional<FileStatus>>> all = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            all.add(stat(i));
            if (i < 2) {
                awaitAsked(i + 1);
            } else {
                int waiting = i - 1;
                Await.until("%d waiting lookups".formatted(waiting), () -> lookups.waitingCalls() == waiting);
            }
        }
        return all;
    }

    /** Lets the first request end, so that the ten share one. */
    private List<Future<Optional<FileStatus>>> startAllAndShare() throws Exception {
        List<Future<Optional<FileStatus>>> all = startAll();
        assertThat(asked).containsExactly("stat /0", "stat /1");
        answers.release(1);
        awaitAsked(3);
        assertThat(asked.get(2)).isEqualTo("find 10");
        answers.release(3 * CALLS);
        return all;
    }

    @Test
    void aLookupWithoutOthersIsAskedAlone() throws Exception {
        answers.release(2);
        assertThat(stat(1).get()).isEmpty();
        assertThat(lookups.locate(new FilePath("/2"))).isEmpty();
        assertThat(asked).containsExactly("stat /1", "locate /2");
    }

    @Test
    void lookupsThatWaitShareTheNextRequest() throws Exception {
        for (Future<Optional<FileStatus>> each : startAllAndShare()) {
            assertThat(each.get()).isEmpty();
        }
        assertThat(stat(99).get()).as("a lookup later").isEmpty();
        assertThat(asked).hasSize(4);
    }

    @Test
    void aMasterThatIsAwayFailsAllOfThem() throws Exception {
        answer = paths -> {
            throw new UnavailableException("planted");
        };
        for (Future<Optional<FileStatus>> each : startAllAndShare().subList(2, CALLS)) {
            assertThatThrownBy(each::get)
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(UnavailableException.class)
                    .hasMessage("planted");
        }
        assertThat(asked).hasSize(3);
    }

    @Test
    void aRequestThatOneOfThemBreaksIsAskedAgainOneByOne() throws Exception {
        answer = paths -> {
            throw new IllegalArgumentException("planted");
        };
        for (Future<Optional<FileStatus>> each : startAllAndShare()) {
            assertThat(each.get()).isEmpty();
        }
    }

    @Test
    void aDeniedLookupGetsTheMastersOwnAnswer() throws Exception {
        answer = paths -> paths.stream()
                .map(path -> new FoundEntry(Optional.empty(), Optional.of("not yours")))
                .toList();
        for (Future<Optional<FileStatus>> each : startAllAndShare()) {
            assertThat(each.get()).isEmpty();
        }
        assertThat(asked).contains("stat /5").hasSize(CALLS + 1);
    }
}
