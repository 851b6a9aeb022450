// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.bdt.FileStatus;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls on a mount that few programs make. */
@Timeout(300)
@Tag("process")
class MountedCallsTest extends OneMountFixture {
    @Test
    void aRenameLeavesAWhiteoutIfItIsAskedTo() throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/perl")), "no perl: apt-get install perl-base");
        assumeTrue(System.getProperty("os.arch").equals("amd64"), "the number of renameat2 is that of amd64");
        Files.writeString(root.resolve("a"), "a");
        Files.writeString(root.resolve("b"), "b");
        // This calls renameat2(AT_FDCWD, "a", AT_FDCWD, "b", flags), which the JDK does not have.
        String call = "my ($a, $b, $flags) = @ARGV; exit(syscall(316, -100, $a, -100, $b, $flags + 0) == 0 ? 0 : $!)";
        assertThat(perl(call, "a", "b", "4")).isZero();
        assertThat(Files.readString(root.resolve("b"))).isEqualTo("a");
        assertThat((Integer) Files.getAttribute(root.resolve("a"), "unix:mode") & 0170000)
                .isEqualTo(0020000);
        assertThat(Files.getAttribute(root.resolve("a"), "unix:rdev")).isEqualTo(0L);
        Files.writeString(root.resolve("c"), "c");
        assertThat(perl(call, "b", "c", "5")).as("EEXIST").isEqualTo(17);
        FileStatus status = rig.files().bdt().stat(new FilePath("/a")).orElseThrow();
        assertThat(status.attributes().mode() & FileAttributes.TYPE).isEqualTo(0020000);
    }

    private int perl(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("/usr/bin/perl", "-e"));
        command.addAll(List.of(words));
        return new ProcessBuilder(command)
                .directory(root.toFile())
                .inheritIO()
                .start()
                .waitFor();
    }

    @Test
    void statfsCountsWhatIsInTheStore() throws IOException {
        Files.write(root.resolve("f"), new byte[3_000_000]);
        rig.files().flush();
        FileStore store = Files.getFileStore(root);
        assertThat(store.getTotalSpace() - store.getUnallocatedSpace()).isBetween(3_000_000L - 4_096, 4_000_000L);
        assertThat(store.getUsableSpace()).isGreaterThan(1L << 40);
    }
}
