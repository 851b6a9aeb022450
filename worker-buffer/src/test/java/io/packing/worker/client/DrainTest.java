// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.Departure;
import io.packing.bdt.WorkerInfo;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.seed.Seed;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.LeavingException;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.Writers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A worker that the operator drains, and the clients that write meanwhile. */
@Timeout(120)
final class DrainTest {
    private static final CreateOptions NEW = new CreateOptions("o", "g", 0644, true, false);
    private static final int LARGE = 200_000;

    @TempDir
    private Path temp;

    private RemoteRig rig;

    @BeforeEach
    void start() throws IOException {
        rig = new RemoteRig(temp);
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private MountOptions options() {
        return rig.options("packing.spill.bytes", "64KB");
    }

    /** Creates a client that writes to the first of these workers that takes files. */
    private RemotePackingFileSystem client(String... order) throws IOException {
        Writers writers = (live, broken) -> {
            List<String> addresses = new ArrayList<>();
            for (String id : order) {
                live.stream()
                        .filter(worker -> worker.worker().equals(id))
                        .map(WorkerInfo::address)
                        .forEach(addresses::add);
            }
            return addresses;
        };
        return rig.remote(options(), writers);
    }

    private static byte[] bytes(int number) {
        byte[] bytes = new byte[number % 50 == 49 ? LARGE : 100];
        new Random(Seed.value() + number).nextBytes(bytes);
        return bytes;
    }

    private static FilePath path(int number) {
        return new FilePath("/d%d/f%d".formatted(number % 7, number));
    }

    private static byte[] read(PackingFileSystem mount, FilePath path) throws IOException {
        try (PackingInput in = mount.open(path)) {
            ByteBuffer all = ByteBuffer.allocate((int) in.attributes().length());
            while (all.hasRemaining()) {
                assertThat(in.read(all.position(), all)).isPositive();
            }
            return all.array();
        }
    }

    private Departure.State drained(String worker) throws IOException {
        List<Departure> departures = rig.bdts().operations().drain(worker);
        while (departures.get(0).state() == Departure.State.LEAVING) {
            departures = rig.bdts().operations().drain(worker);
        }
        return departures.get(0).state();
    }

    @Test
    void noWriteFailsAndNoFileIsLostWhileAWorkerLeaves() throws Exception {
        AtomicBoolean enough = new AtomicBoolean();
        Semaphore written = new Semaphore(0);
        try (PackingWorker first = rig.worker("w1");
                PackingWorker second = rig.worker("w2")) {
            PackingFileSystem leaving = first.open(options());
            PackingFileSystem staying = second.open(options());
            CompletableFuture<Integer> writer = CompletableFuture.supplyAsync(() -> {
                try (RemotePackingFileSystem client = client("w1", "w2")) {
                    int number = 0;
                    List<CompletableFuture<FileVersion>> small = new ArrayList<>();
                    for (; !enough.get(); number++) {
                        byte[] bytes = bytes(number);
                        if (bytes.length == LARGE) {
                            try (PackingOutput out = client.create(path(number), NEW)) {
                                out.write(bytes);
                            }
                        } else {
                            small.add(client.put(path(number), ByteBuffer.wrap(bytes), NEW));
                        }
                        if (number % 20 == 19) {
                            small.forEach(CompletableFuture::join);
                            small.clear();
                        }
                        written.release();
                    }
                    small.forEach(CompletableFuture::join);
                    return number;
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            written.acquire(300);
            assertThat(drained("w1")).isEqualTo(Departure.State.LEFT);
            written.drainPermits();
            written.acquire(100);
            enough.set(true);
            int files = writer.join();

            first.left().join();
            assertThat(second.left()).isNotDone();
            assertThat(staying.bdt().workers()).extracting(WorkerInfo::worker).containsExactly("w2");
            leaving.close();
            for (int number = 0; number < files; number++) {
                assertThat(read(staying, path(number))).as("file %d", number).isEqualTo(bytes(number));
            }
            staying.flush();
            assertThat(staying.bdt().statistics().bufferedFiles()).isZero();
            assertThat(staying.bdt().statistics().files()).isEqualTo(files);
        }
    }

    @Test
    void aLargeFileThatIsBeingWrittenIsWaitedFor() throws Exception {
        byte[] bytes = bytes(49);
        try (PackingWorker worker = rig.worker("w1");
                RemotePackingFileSystem client = client("w1")) {
            PackingFileSystem mount = worker.open(options());
            PackingOutput out = client.create(new FilePath("/large"), NEW);
            out.write(bytes, 0, 150_000);
            while (mount.bdt().workers().get(0).bufferedBytes() == 0) {
                // The beginning is on its way.
                assertThat(worker.left()).isNotDone();
            }
            assertThat(rig.bdts().operations().drain("w1"))
                    .extracting(Departure::state)
                    .containsExactly(Departure.State.LEAVING);
            while (!isRefused(mount)) {
                assertThat(worker.left()).isNotDone();
            }
            out.write(bytes, 150_000, bytes.length - 150_000);
            out.close();
            assertThat(drained("w1")).isEqualTo(Departure.State.LEFT);
            assertThat(read(client, new FilePath("/large"))).isEqualTo(bytes);
        }
    }

    @Test
    void aLargeFileWhoseFirstPartComesAfterItsWorkerLeftGoesToAnotherOne() throws Exception {
        byte[] bytes = bytes(49);
        try (PackingWorker first = rig.worker("w1");
                PackingWorker second = rig.worker("w2");
                RemotePackingFileSystem client = client("w1", "w2")) {
            first.open(options());
            PackingFileSystem staying = second.open(options());
            FileVersion unused =
                    client.put(path(1), ByteBuffer.wrap(bytes(1)), NEW).join();
            PackingOutput out = client.create(new FilePath("/large"), NEW);
            // The output is not yet large enough for a stream of its own.
            out.write(bytes, 0, 1_000);
            assertThat(drained("w1")).isEqualTo(Departure.State.LEFT);
            out.write(bytes, 1_000, bytes.length - 1_000);
            out.close();
            assertThat(read(staying, new FilePath("/large"))).isEqualTo(bytes);
        }
    }

    /** Returns whether the worker has learned that it is to leave. */
    private static boolean isRefused(PackingFileSystem mount) throws IOException {
        try {
            mount.create(new FilePath("/none"), NEW).abort();
            return false;
        } catch (LeavingException e) {
            return true;
        }
    }

    @Test
    void aWorkerThatIsStartedAgainTakesFilesAgain() throws Exception {
        try (PackingWorker worker = rig.worker("w1")) {
            PackingFileSystem mount = worker.open(options());
            assertThat(drained("w1")).isEqualTo(Departure.State.LEFT);
            assertThatThrownBy(() -> mount.create(new FilePath("/f"), NEW))
                    .isInstanceOf(LeavingException.class)
                    .hasMessageContaining("w1")
                    .hasMessageContaining("packing drain");
        }
        try (PackingWorker worker = rig.worker("w1")) {
            PackingFileSystem mount = worker.open(options());
            try (PackingOutput out = mount.create(new FilePath("/f"), NEW)) {
                out.write(1);
            }
            assertThat(mount.bdt().workers()).noneMatch(WorkerInfo::leaving);
            assertThat(read(mount, new FilePath("/f"))).hasSize(1);
        }
        assertThat(rig.bdts().operations().drain("nobody")).isEmpty();
    }
}
