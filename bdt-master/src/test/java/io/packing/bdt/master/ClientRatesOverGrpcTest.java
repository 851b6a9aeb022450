// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.Bdt;
import io.packing.bdt.BusyException;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.bdt.QuotaChange;
import io.packing.bdt.QuotaExceededException;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.rpc.ClientRates;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client over gRPC that calls more often than it may, and one that makes more than it may. */
@Timeout(120)
class ClientRatesOverGrpcTest {
    private static final DirectoryAttributes DIRECTORY = new DirectoryAttributes("u", "g", 0755);

    private final TestStores stores = new TestStores();

    @TempDir
    private Path data;

    private Optional<BdtMaster> started = Optional.empty();

    private GrpcBdts start(long rate, long burst, Duration timeout) throws IOException {
        BdtMasterOptions config = TestStores.config(data)
                .accessible(AccessOptions.OPEN.limiting(new ClientRates.RateLimits(rate, burst)));
        BdtMaster master = BdtMaster.start(config, stores).serve();
        started = Optional.of(master);
        return GrpcBdts.connect("127.0.0.1:" + master.port(), timeout);
    }

    @AfterEach
    void stop() {
        started.ifPresent(BdtMaster::kill);
    }

    @Test
    void aClientThatCallsTooOftenWaitsAndFailsNothing() throws IOException {
        try (GrpcBdts client = start(1, 1, Duration.ofSeconds(60));
                Bdt table = client.open(TestStores.MOUNT)) {
            for (int i = 0; i < 8; i++) {
                assertThat(table.mkdir(new FilePath("/d" + i), DIRECTORY, false))
                        .isEqualTo(Outcome.DONE);
            }
            assertThat(table.list(FilePath.ROOT, "", 1_000).orElseThrow()).hasSize(8);
        }
        assertThat(started.orElseThrow().metrics().scrape())
                .containsPattern("bdt_refused_requests_total\\{why=\"rate\"\\} [1-9]")
                .contains("bdt_refused_requests_total{why=\"behind\"} 0");
    }

    @Test
    void aClientWhoseTimeEndsBeforeItsTurnLearnsWhy() throws IOException, InterruptedException {
        // Of so many who ask at once, some have no turn within their time, however long the connection takes of it.
        int callers = 30;
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        try (GrpcBdts client = start(1, 1, Duration.ofSeconds(5));
                Bdt table = client.open(TestStores.MOUNT)) {
            Callable<Boolean> stat = () -> table.stat(FilePath.ROOT).isPresent();
            List<Throwable> failures = threads.invokeAll(Collections.nCopies(callers, stat)).stream()
                    .flatMap(done -> failure(done).stream())
                    .toList();
            assertThat(failures)
                    .isNotEmpty()
                    .allSatisfy(failure -> assertThat(failure)
                            .isInstanceOf(UnavailableException.class)
                            .hasMessageContaining("bdt.client.rate")
                            .hasCauseInstanceOf(BusyException.class));
        } finally {
            threads.shutdownNow();
        }
    }

    private static Optional<Throwable> failure(Future<Boolean> done) {
        try {
            assertThat(done.get()).isTrue();
            return Optional.empty();
        } catch (ExecutionException e) {
            return Optional.ofNullable(e.getCause());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aQuotaIsSetAskedForAndExceededFromAfar() throws IOException {
        try (GrpcBdts client = start(0, 1, Duration.ofSeconds(60));
                Bdt table = client.open(TestStores.MOUNT)) {
            FilePath directory = new FilePath("/d");
            assertThat(table.mkdir(directory, DIRECTORY, false)).isEqualTo(Outcome.DONE);
            assertThat(table.quota(directory)).isEmpty();
            QuotaChange change = new QuotaChange(OptionalLong.of(1), OptionalLong.empty());
            assertThat(table.setQuota(directory, change)).isEqualTo(Outcome.DONE);
            assertThat(table.quota(directory).orElseThrow().mostNames()).hasValue(1);
            assertThat(table.quota(directory).orElseThrow().mostBytes()).isEmpty();
            assertThatThrownBy(() -> table.mkdir(directory.child("a"), DIRECTORY, false))
                    .isInstanceOf(QuotaExceededException.class)
                    .hasMessage(
                            "The NameSpace quota (directories and files) of directory /d is exceeded: quota=1 file count=2")
                    .extracting(e -> ((QuotaExceededException) e).reason())
                    .isEqualTo(Outcome.NAMES_QUOTA);
            assertThat(table.setQuota(directory, QuotaChange.CLEAR)).isEqualTo(Outcome.DONE);
            assertThat(table.mkdir(directory.child("a"), DIRECTORY, false)).isEqualTo(Outcome.DONE);
        }
    }
}
