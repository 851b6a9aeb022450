// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.bdt.UnavailableException;
import io.packing.blob.BlobName;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.transport.Security;
import io.packing.worker.api.PackingInput;
import io.packing.worker.read.BlobPages;
import io.packing.worker.read.FileReader;
import io.packing.worker.read.PageListener;
import io.packing.worker.rpc.PeerClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A stopped worker takes connections and answers no call: its callers fail with its address. */
@Timeout(120)
final class SilentWorkerTest {
    private static final Duration SHORT = Duration.ofMillis(300);
    /** A limit for calls that are answered at once, even on a busy machine. */
    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    private Path temp;

    private static ServerSocket silent() throws IOException {
        return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    private static String address(ServerSocket socket) {
        return "127.0.0.1:" + socket.getLocalPort();
    }

    private static LocatedFile buffered(MountRig rig, String path, String address) throws IOException {
        LocatedFile file = rig.mounts.get(0).bdt().locate(new FilePath(path)).orElseThrow();
        Placement.Buffered real = (Placement.Buffered) file.placement();
        return new LocatedFile(file.status(), new Placement.Buffered(real.worker(), address));
    }

    private static PackingInput input(MountRig rig, PeerClient peers, LocatedFile file) {
        return new FileReader(
                        rig.mounts.get(0).bdt(),
                        rig.options().mountName(),
                        new BlobPages(rig.stores.get(0), BlobName.FOLDER, 1 << 20, 1 << 18, new PageListener() {}),
                        (version, offset, length) -> Optional.empty(),
                        peers.reading(SHORT))
                .open(file);
    }

    @Test
    void aWorkerThatTakesConnectionsAndAnswersNothingIsGivenUp() throws IOException {
        try (PeerClient peers = new PeerClient(Security.NONE);
                ServerSocket silent = silent()) {
            assertThat(peers.problem(address(silent), "any", SHORT).orElseThrow())
                    .contains("no answer within 0.3 s");
            assertThatThrownBy(() -> peers.reading(SHORT)
                            .read(address(silent), "any", FilePath.ROOT, new FileVersion(1, 1), 0, 10))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("no answer within 0.3 s");
        }
    }

    /** A flush may take as long as its bytes need; only the question for a sign of life has a limit. */
    @Test
    void aFlushAsksFirstWhetherAnybodyIsThere() throws IOException {
        try (PeerClient peers = new PeerClient(Security.NONE);
                ServerSocket silent = silent()) {
            assertThatThrownBy(() -> peers.reading(SHORT).flush(address(silent), "any"))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("worker at " + address(silent))
                    .hasMessageContaining("no answer within 0.3 s");
        }
    }

    @Test
    void aReadGoesToWhereTheWorkerIsNow() throws IOException {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC());
                PeerClient peers = new PeerClient(Security.NONE);
                ServerSocket silent = silent()) {
            MountRig.write(rig.mounts.get(0), "/a", MountRig.bytes(1, 1_000), MountRig.NEW);
            for (String before : new String[] {address(silent), "127.0.0.1:1"}) {
                PackingInput input = input(rig, peers, buffered(rig, "/a", before));
                ByteBuffer all = ByteBuffer.allocate(1_000);
                assertThat(input.read(0, all)).isEqualTo(1_000);
                assertThat(all.array()).isEqualTo(MountRig.bytes(1, 1_000));
            }
        }
    }

    @Test
    void aWorkerThatIsGoneIsNamedByEveryReadWithTheFile() throws IOException {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC());
                PeerClient peers = new PeerClient(Security.NONE)) {
            MountRig.write(rig.mounts.get(0), "/a", MountRig.bytes(1, 1_000), MountRig.NEW);
            LocatedFile file =
                    rig.mounts.get(1).bdt().locate(new FilePath("/a")).orElseThrow();
            String address = ((Placement.Buffered) file.placement()).address();
            PackingInput input = new FileReader(
                            rig.mounts.get(1).bdt(),
                            rig.options().mountName(),
                            new BlobPages(rig.stores.get(1), BlobName.FOLDER, 1 << 20, 1 << 18, new PageListener() {}),
                            (version, offset, length) -> Optional.empty(),
                            peers.reading(LONG))
                    .open(file);
            rig.workers.get(0).close();
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> input.read(0, ByteBuffer.allocate(10)))
                        .isInstanceOf(UnavailableException.class)
                        .hasMessageContaining("/a is buffered at worker w0")
                        .hasMessageContaining(address)
                        .hasMessageContaining("Connection refused")
                        .hasMessageContaining("packing.read.peer.timeout");
            }
        }
    }
}
