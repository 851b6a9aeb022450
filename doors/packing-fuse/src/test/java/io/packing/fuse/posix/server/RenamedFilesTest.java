// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Durability;
import io.packing.bdt.Outcome;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.fuse.Caller;
import io.packing.fuse.Entry;
import io.packing.fuse.FuseException;
import io.packing.fuse.RenameKind;
import io.packing.fuse.posix.PosixOptions;
import io.packing.fuse.posix.TreeSource;
import io.packing.fuse.posix.node.Node;
import io.packing.fuse.posix.node.OpenMount;
import io.packing.fuse.posix.owner.OwnerMap;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Renames of files that run at the same time, and lookups beside them. */
@Timeout(120)
class RenamedFilesTest {
    private static final int THREADS = 6;
    private static final int RENAMES = 60;

    @TempDir
    private Path home;

    private MountRig rig;
    private GrpcBdts master;
    private RemotePackingFileSystem mount;
    private OpenMount open;
    private MountedFiles files;
    private ExecutorService threads;

    @BeforeEach
    void start() throws IOException {
        rig = MountRig.start(home);
        master = GrpcBdts.connect(rig.masterAddress(), Duration.ofMinutes(1));
        mount = rig.client(master);
        PosixOptions settings = new PosixOptions(
                false,
                Duration.ofSeconds(1),
                PosixOptions.DRAFT_BYTES,
                PosixOptions.DRAFT_AGE,
                Files.createDirectory(home.resolve("state")),
                false,
                OwnerMap.NAMES);
        open = new OpenMount(
                mount,
                Durability.SYNCED,
                FilePath.ROOT,
                settings,
                TreeSource.NONE,
                Clock.systemUTC(),
                System::nanoTime);
        files = new MountedFiles(open);
        threads = Executors.newFixedThreadPool(THREADS);
    }

    @AfterEach
    void stop() throws IOException {
        threads.shutdownNow();
        try (MountRig closing = rig;
                GrpcBdts closed = master) {
            mount.close();
        }
    }

    private static Caller caller() {
        return new Caller(0, 0, 1, false, () -> false);
    }

    private void write(String path) throws IOException {
        try (PackingOutput out =
                rig.files().create(new FilePath(path), new CreateOptions("0", "0", 0644, true, false))) {
            out.write(path.getBytes(StandardCharsets.UTF_8));
        }
    }

    private Node lookUp(long parent, String name) throws FuseException, IOException {
        return open.nodes.get(files.lookup(caller(), parent, name).node());
    }

    private long makeDirectory(String name) throws FuseException, IOException {
        assertThat(rig.files().bdt().mkdir(FilePath.ROOT.child(name), new DirectoryAttributes("0", "0", 0755), false))
                .isEqualTo(Outcome.DONE);
        return lookUp(MountedFiles.ROOT, name).number;
    }

    private void rename(long parent, String name, String newName) throws FuseException, IOException {
        files.rename(caller(), parent, name, parent, newName, RenameKind.REPLACE);
    }

    @Test
    void aRenameDoesNotWaitForThatOfAnotherFile() throws Exception {
        write("/a");
        write("/c");
        Node first = lookUp(MountedFiles.ROOT, "a");
        Node unused = lookUp(MountedFiles.ROOT, "c");
        List<Future<Void>> waits = new ArrayList<>();
        first.lock.lock();
        try {
            waits.add(threads.submit(() -> {
                rename(MountedFiles.ROOT, "a", "b");
                return null;
            }));
            while (!first.lock.hasQueuedThreads()) {
                Thread.onSpinWait();
            }
            threads.submit(() -> {
                        rename(MountedFiles.ROOT, "c", "d");
                        return null;
                    })
                    .get();
            assertThat(rig.files().bdt().stat(new FilePath("/d"))).isPresent();
            assertThat(waits.get(0).isDone()).isFalse();
        } finally {
            first.lock.unlock();
        }
        waits.get(0).get();
        assertThat(rig.files().bdt().stat(new FilePath("/b"))).isPresent();
        assertThat(open.nodes.path(first)).isEqualTo(new FilePath("/b"));
    }

    /** Renames in a directory by one thread, as the kernel does, while others look up its names. */
    @Test
    void lookupsBesideRenamesLeaveEachFileItsNode() throws Exception {
        List<Future<Void>> all = new ArrayList<>();
        for (int thread = 0; thread < THREADS / 2; thread++) {
            String name = "d" + thread;
            long directory = makeDirectory(name);
            write("/" + name + "/one");
            write("/" + name + "/two");
            Node one = lookUp(directory, "one");
            Node two = lookUp(directory, "two");
            Future<Void> renames = threads.submit(() -> {
                for (int i = 0; i < RENAMES; i++) {
                    rename(directory, "one", "between");
                    rename(directory, "two", "one");
                    rename(directory, "between", "two");
                }
                return null;
            });
            all.add(renames);
            all.add(threads.submit(() -> {
                while (!renames.isDone()) {
                    for (String each : List.of("one", "between", "two")) {
                        Entry entry = files.lookup(caller(), directory, each);
                        if (entry.node() != 0) {
                            files.forget(entry.node(), 1);
                        }
                    }
                }
                // An even number of exchanges: each file has its first name, and the kernel's number still leads to it.
                assertThat(open.nodes.path(one)).isEqualTo(new FilePath("/" + name + "/one"));
                assertThat(open.nodes.path(two)).isEqualTo(new FilePath("/" + name + "/two"));
                assertThat(lookUp(directory, "one").number).isEqualTo(one.number);
                return null;
            }));
        }
        for (Future<Void> each : all) {
            each.get();
        }
    }

    @Test
    void aFileThatReplacesAnotherOneTakesItsName() throws Exception {
        write("/old");
        write("/new");
        Node old = lookUp(MountedFiles.ROOT, "old");
        Node replacing = lookUp(MountedFiles.ROOT, "new");
        rename(MountedFiles.ROOT, "new", "old");
        assertThat(old.unlinked).isTrue();
        assertThat(open.nodes.path(replacing)).isEqualTo(new FilePath("/old"));
        assertThat(rig.files().bdt().stat(new FilePath("/new"))).isEmpty();
        assertThat(lookUp(MountedFiles.ROOT, "old").number).isEqualTo(replacing.number);
    }
}
