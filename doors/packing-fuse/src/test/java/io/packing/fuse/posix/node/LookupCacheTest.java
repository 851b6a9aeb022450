// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.Bdt;
import io.packing.bdt.FoundEntry;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Names that are requested before a program looks them up. */
@Timeout(60)
class LookupCacheTest {
    private static final long VALID = 1_000;

    private long now;
    private final List<Integer> asked = new ArrayList<>();
    private Answer answer =
            paths -> paths.stream().map(path -> FoundEntry.NOTHING).toList();

    private final LookupCache names = new LookupCache(
            (Bdt) Proxy.newProxyInstance(
                    Bdt.class.getClassLoader(), new Class<?>[] {Bdt.class}, (proxy, method, arguments) -> {
                        List<FilePath> paths = ((List<?>) arguments[0])
                                .stream().map(FilePath.class::cast).toList();
                        asked.add(paths.size());
                        return answer.to(paths);
                    }),
            VALID,
            () -> now);

    private interface Answer {
        List<FoundEntry> to(List<FilePath> paths) throws IOException;
    }

    private static FilePath path(int number) {
        return new FilePath("/c/root/" + number);
    }

    private static List<FilePath> paths(int count) {
        return IntStream.range(0, count).mapToObj(LookupCacheTest::path).toList();
    }

    @Test
    void theFirstNamesComeFirstAndTheOthersInFewRequests() throws IOException {
        names.find(paths(600));
        assertThat(asked).containsExactly(32, 250, 250, 68);
        assertThat(names.at(path(599))).contains(FoundEntry.NOTHING);
        assertThat(names.at(path(600))).isEmpty();
        asked.clear();
        names.find(paths(601));
        assertThat(asked).as("of what nothing is known").containsExactly(1);
    }

    @Test
    void whatIsOldOrForgottenIsAskedForAgain() throws IOException {
        names.find(paths(3));
        now = VALID;
        assertThat(names.at(path(0))).isEmpty();
        names.find(paths(3));
        assertThat(asked).containsExactly(3, 3);
        assertThat(names.at(path(0))).isPresent();
        names.forget(new FilePath("/c"));
        assertThat(names.at(path(0))).isEmpty();
        names.find(paths(1));
        names.forget(new FilePath("/c/roo"));
        assertThat(names.at(path(0))).as("another directory's").isPresent();
    }

    @Test
    void whoeverLooksUpANameThatIsOnItsWayWaitsForIt() throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        answer = paths -> {
            began.countDown();
            try {
                goesOn.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            return paths.stream().map(path -> FoundEntry.NOTHING).toList();
        };
        CompletableFuture<Void> finding = CompletableFuture.runAsync(() -> find(40));
        began.await();
        CompletableFuture<Optional<FoundEntry>> first = CompletableFuture.supplyAsync(() -> at(path(0)));
        CompletableFuture<Optional<FoundEntry>> last = CompletableFuture.supplyAsync(() -> at(path(39)));
        assertThat(first.isDone() || last.isDone()).isFalse();
        goesOn.countDown();
        assertThat(first.get()).contains(FoundEntry.NOTHING);
        assertThat(last.get()).contains(FoundEntry.NOTHING);
        finding.get();
    }

    private void find(int count) {
        try {
            names.find(paths(count));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Optional<FoundEntry> at(FilePath path) {
        try {
            return names.at(path);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aRequestThatFailsLeavesNobodyWaitingAndNothingKnown() throws IOException {
        answer = paths -> {
            if (paths.size() > 32) {
                throw new IOException("planted");
            }
            return paths.stream().map(path -> FoundEntry.NOTHING).toList();
        };
        assertThatThrownBy(() -> names.find(paths(300))).hasMessage("planted");
        assertThat(names.at(path(31))).isPresent();
        assertThat(names.at(path(32))).isEmpty();
        assertThat(names.at(path(299))).isEmpty();
    }

    @Test
    void whatTheCallerMayNotLookUpIsNotKnown() throws IOException {
        answer = paths -> List.of(new FoundEntry(Optional.empty(), Optional.of("not yours")), FoundEntry.NOTHING);
        names.find(paths(2));
        assertThat(names.at(path(0))).isEmpty();
        assertThat(names.at(path(1))).isPresent();
    }
}
