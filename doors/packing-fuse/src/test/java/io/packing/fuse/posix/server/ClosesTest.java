// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that many programs close at once go together, and each close reports the result of its own file. */
@Timeout(300)
class ClosesTest {
    private static final int THREADS = 24;
    private static final int FILES = 50;

    @TempDir
    private Path home;

    private MountRig rig;
    private FuseMount mount;
    private Path root;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        rig = MountRig.start(home);
        mount = rig.mount("m", false);
        root = mount.directory();
    }

    @AfterEach
    void stop() throws IOException, InterruptedException {
        if (rig != null) {
            try (MountRig closing = rig) {
                mount.close();
            }
        }
    }

    /** Returns the results of a task for each number, run all at once. */
    private static <T> List<T> each(int count, int threads, Task<T> task) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<T>> tasks = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int number = i;
                tasks.add(() -> task.run(number));
            }
            List<T> all = new ArrayList<>();
            for (Future<T> done : executor.invokeAll(tasks)) {
                all.add(done.get());
            }
            return all;
        } finally {
            executor.shutdown();
        }
    }

    private interface Task<T> {
        T run(int number) throws IOException;
    }

    private FileChannel opened(String name) throws IOException {
        FileChannel file =
                FileChannel.open(root.resolve(name), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        int unused = file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        return file;
    }

    /** Closes a file; returns the reason of a failure. */
    private static Optional<String> closed(FileChannel file) {
        try {
            file.close();
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    @Test
    void everyFileIsInTheTableWhenItsCloseReturns() throws Exception {
        List<Integer> missing = new ArrayList<>();
        List<Optional<FileStatus>> seen = each(THREADS * FILES, THREADS, i -> {
            Files.write(root.resolve("f" + i), new byte[i]);
            return rig.files().bdt().stat(new FilePath("/f" + i));
        });
        for (int i = 0; i < seen.size(); i++) {
            if (seen.get(i).isEmpty() || seen.get(i).get().attributes().length() != i) {
                missing.add(i);
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void aNameThatSomebodyElseTookFailsTheCloseOfItsOwnFileOnly() throws Exception {
        List<FileChannel> files = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            files.add(opened("f" + i));
        }
        for (int i = 0; i < THREADS; i += 3) {
            CreateOptions options = new CreateOptions("0", "0", 0644, false, false);
            try (PackingOutput out = rig.files().create(new FilePath("/f" + i), options)) {
                out.write(9);
            }
        }
        List<Optional<String>> answers = each(THREADS, THREADS, i -> closed(files.get(i)));
        for (int i = 0; i < THREADS; i++) {
            if (i % 3 == 0) {
                assertThat(answers.get(i).orElse("")).as("file %d", i).contains("exists");
            } else {
                assertThat(answers.get(i)).as("file %d", i).isEmpty();
                assertThat(rig.files()
                                .bdt()
                                .stat(new FilePath("/f" + i))
                                .orElseThrow()
                                .attributes()
                                .length())
                        .isEqualTo(3);
            }
        }
    }

    @Test
    void aFileMayBeClosedBySeveralWhoHaveItOpenAtTheSameTime() throws Exception {
        for (int round = 0; round < 10; round++) {
            List<FileChannel> files = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                String name = "r" + round + "-" + i / 3;
                files.add(i % 3 == 0 ? opened(name) : FileChannel.open(root.resolve(name), StandardOpenOption.WRITE));
            }
            assertThat(each(THREADS, THREADS, i -> closed(files.get(i)))).allMatch(Optional::isEmpty);
        }
        assertThat(rig.files()
                        .bdt()
                        .stat(new FilePath("/r9-7"))
                        .orElseThrow()
                        .attributes()
                        .length())
                .isEqualTo(3);
    }

    @Test
    void filesThatChangeWhileTheyAreClosedAreWhatProgramsMadeOfThem() throws Exception {
        List<Optional<String>> answers = each(THREADS * FILES, THREADS, i -> {
            Path file = root.resolve("f" + i);
            FileChannel open = opened("f" + i);
            try (FileChannel other = FileChannel.open(file, StandardOpenOption.WRITE)) {
                Optional<String> answer = closed(open);
                switch (i % 4) {
                    case 0 -> {
                        int unused = other.write(ByteBuffer.wrap(new byte[40_000]), 3);
                    }
                    case 1 -> Files.move(file, root.resolve("moved" + i));
                    case 2 -> Files.delete(file);
                    default -> other.force(true);
                }
                return answer;
            }
        });
        assertThat(answers).allMatch(Optional::isEmpty);
        for (int i = 0; i < answers.size(); i++) {
            FilePath path = new FilePath(i % 4 == 1 ? "/moved" + i : "/f" + i);
            Optional<Long> length = rig.files()
                    .bdt()
                    .stat(path)
                    .map(status -> status.attributes().length());
            Optional<Long> wanted = i % 4 == 2 ? Optional.empty() : Optional.of(i % 4 == 0 ? 40_003L : 3L);
            assertThat(length).as("file %d", i).isEqualTo(wanted);
        }
    }
}
