// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Outcome;
import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A read-only mount whose kernel may trust its knowledge for a short time: programs see other clients' changes after
 * it.
 */
@Timeout(300)
class ShortValidTest {
    private static final Duration VALID = Duration.ofSeconds(2);
    /** The kernel's clock counts in ticks. */
    private static final Duration TICKS = Duration.ofMillis(100);

    private static final FilePath D = new FilePath("/d");

    @TempDir
    private Path home;

    private static void write(MountRig rig, String name, String text) throws IOException {
        try (PackingOutput out = rig.files().create(D.child(name), new CreateOptions("0", "0", 0644, true, true))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void aChangeOfTheTableIsSeenWhenTheTimeIsOver() throws IOException, InterruptedException {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        try (MountRig rig = MountRig.start(home)) {
            for (String name : List.of("text", "mode", "gone", "moved")) {
                write(rig, name, "one");
            }
            try (FuseMount mount = rig.mount("m", FilePath.ROOT, true, VALID)) {
                Path root = mount.directory().resolve("d");
                assertThat(names(root)).containsExactly("gone", "mode", "moved", "text");
                assertThat(Files.readString(root.resolve("text"))).isEqualTo("one");
                assertThat(Files.exists(root.resolve("new"))).isFalse();
                assertThat(Files.exists(root.resolve("gone"))).isTrue();
                assertThat(Files.getPosixFilePermissions(root.resolve("mode")))
                        .isEqualTo(PosixFilePermissions.fromString("rw-r--r--"));

                write(rig, "text", "two");
                write(rig, "new", "three");
                AttributeChange mode = new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.of(0600));
                assertThat(rig.files().bdt().setAttributes(D.child("mode"), mode))
                        .isEqualTo(Outcome.DONE);
                assertThat(rig.files().bdt().delete(D.child("gone"), false)).isEqualTo(Outcome.DONE);
                assertThat(rig.files().bdt().rename(D.child("moved"), D.child("here")))
                        .isEqualTo(Outcome.DONE);
                // The kernel counts this time by its own clock, and an earlier look would begin it anew.
                Thread.sleep(VALID.plus(TICKS).toMillis());

                assertThat(Files.readString(root.resolve("text"))).isEqualTo("two");
                assertThat(Files.readString(root.resolve("new"))).isEqualTo("three");
                assertThat(Files.exists(root.resolve("gone"))).isFalse();
                assertThat(Files.exists(root.resolve("moved"))).isFalse();
                assertThat(Files.readString(root.resolve("here"))).isEqualTo("one");
                assertThat(Files.getPosixFilePermissions(root.resolve("mode")))
                        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
                assertThat(names(root)).containsExactly("here", "mode", "new", "text");
            }
        }
    }
}
