// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.fuse.mount.FuseMount;
import io.packing.trace.TraceFiles;
import io.packing.trace.syscalls.replay.SystemReplay;
import io.packing.trace.tools.replay.ReplayReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Recorded work of desktop applications on a file system, repeated on a mount, through the kernel. */
@Timeout(600)
class ReplayOnMountTest {
    private static final Path RECORDINGS = Path.of("../../conf/ibench");

    @TempDir
    private Path home;

    private MountRig rig;
    private FuseMount mount;

    @BeforeEach
    void mount() throws IOException, InterruptedException {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        rig = MountRig.start(home);
        mount = rig.mount("m", false);
    }

    @AfterEach
    void unmount() throws IOException, InterruptedException {
        if (rig != null) {
            mount.close();
            rig.close();
        }
    }

    private static ReplayReport replay(String task, Path root) throws IOException, InterruptedException {
        Path trace = RECORDINGS.resolve(task + ".htfs");
        return new SystemReplay(root, 0, () -> 0, due -> {}, done -> {}).run(() -> TraceFiles.open(List.of(trace)));
    }

    /** Returns types, lengths of files and texts of links, by path. */
    private static Map<String, String> tree(Path root) throws IOException {
        Map<String, String> tree = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(root)) {
            for (Path path : (Iterable<Path>) walk::iterator) {
                String what = Files.isSymbolicLink(path)
                        ? "link to " + root.relativize(path.resolveSibling(Files.readSymbolicLink(path)))
                        : Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
                                ? "directory"
                                : "file of " + Files.size(path);
                tree.put(root.relativize(path).toString(), what);
            }
        }
        return tree;
    }

    /** Returns calls, bytes and errors, by name. */
    private static Map<String, List<Long>> calls(ReplayReport report) {
        Map<String, List<Long>> calls = new LinkedHashMap<>();
        report.byCall().forEach(kind -> calls.put(kind.call(), List.of(kind.calls(), kind.bytes(), kind.errors())));
        return calls;
    }

    /**
     * A database, an office document, photos, a browser: rename, unlink, truncate, append, mkdir, symbolic and hard
     * links.
     */
    @ParameterizedTest
    @ValueSource(strings = {"database", "writer-doc", "photo-duplicate", "browser-start", "git-commit"})
    void aMountDoesAsADirectoryDoes(String task) throws IOException, InterruptedException {
        Path local = Files.createDirectories(home.resolve("local"));
        ReplayReport expected = replay(task, local);
        Path root = mount.directory().resolve("again");
        ReplayReport report = replay(task, root);
        assertThat(report.examples()).isEmpty();
        assertThat(report.mismatches()).isZero();
        assertThat(calls(report)).isEqualTo(calls(expected));
        assertThat(report.skipped()).isEqualTo(expected.skipped());
        assertThat(tree(root)).isEqualTo(tree(local)).hasSizeGreaterThan(10);
    }
}
