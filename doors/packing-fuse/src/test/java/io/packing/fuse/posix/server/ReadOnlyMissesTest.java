// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Bdt;
import io.packing.bdt.Bdts;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.fuse.FuseFileSystem;
import io.packing.fuse.RehearsalCalls;
import io.packing.fuse.posix.TreeSource;
import io.packing.transport.token.KeyRing;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Vain lookups, like those of a loader of libraries, in directories that are only read. */
@Timeout(120)
class ReadOnlyMissesTest {
    private static final FilePath ROOT = new FilePath("/roots");
    private static final int NAMES = 200;

    @TempDir
    private Path home;

    private final List<String> asked = new CopyOnWriteArrayList<>();

    private Bdt counted(Bdt bdt) {
        return (Bdt) Proxy.newProxyInstance(
                Bdt.class.getClassLoader(), new Class<?>[] {Bdt.class}, (proxy, method, arguments) -> {
                    asked.add(method.getName());
                    try {
                        return method.invoke(bdt, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private Bdts counted(Bdts master) {
        return new Bdts() {
            @Override
            public Bdt open(Map<String, String> options) throws IOException {
                return counted(master.open(options));
            }

            @Override
            public KeyRing tokenKeys() throws IOException {
                return master.tokenKeys();
            }

            @Override
            public void close() {
                // The test closes its master.
            }
        };
    }

    @Test
    void aDirectoryThatIsListedIsNotListedAgainForThem() throws Exception {
        try (MountRig rig = MountRig.start(home);
                GrpcBdts master = GrpcBdts.connect(rig.masterAddress(), Duration.ofMinutes(1));
                RemotePackingFileSystem mount = rig.client(counted(master))) {
            for (int i = 0; i < NAMES; i++) {
                assertThat(mount.bdt()
                                .mkdir(ROOT.child("lib").child("d" + i), new DirectoryAttributes("0", "0", 0755), true))
                        .isEqualTo(Outcome.DONE);
            }
            TreeSource source = new TreeSource() {
                @Override
                public boolean makes(FilePath path) {
                    return false;
                }
            };
            try (RehearsedDirectory directory =
                    RehearsedDirectory.open(mount, ROOT, source, home.resolve("state"), System::nanoTime)) {
                RehearsalCalls calls = new RehearsalCalls(directory.files(), 1 << 17);
                long lib = calls.lookup(FuseFileSystem.ROOT, "lib").orElseThrow();
                asked.clear();
                for (int i = 0; i < NAMES; i++) {
                    assertThat(calls.lookup(lib, "none-" + i)).isEmpty();
                }
                assertThat(asked).containsExactly("listLocated");
                assertThat(calls.lookup(lib, "d7")).isPresent();
            }
        }
    }
}
