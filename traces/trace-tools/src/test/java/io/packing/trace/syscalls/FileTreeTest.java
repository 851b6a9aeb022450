// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A test of learning files' names from the kernel's names. */
class FileTreeTest {
    private static final String LINK = "/usr/bin/office";

    private final FileTree tree = new FileTree(path -> path.equals(LINK)
            ? Optional.of(new InitialState.Entry(InitialState.Kind.LINK, 0, "../lib/office/office"))
            : Optional.empty());

    @Test
    void aDirectoryThatWasReachedThroughALinkIsKnownByItsOwnName() {
        tree.learn("/lib/libc.so", "/usr/lib/libc.so");
        assertThat(tree.canonical("/lib/libm.so")).isEqualTo("/usr/lib/libm.so");
    }

    @Test
    void aLinkToAFileOfTheSameNameSaysNothingOfItsDirectory() {
        tree.learn(LINK, "/usr/lib/office/office");
        assertThat(tree.canonical("/usr/bin/ls")).isEqualTo("/usr/bin/ls");
    }

    @Test
    void aLinkThatTheTraceMadeSaysNothingOfItsDirectoryEither() {
        tree.create("/a/same").kind(InitialState.Kind.LINK);
        tree.learn("/a/same", "/b/same");
        assertThat(tree.canonical("/a/other")).isEqualTo("/a/other");
    }

    @Test
    void theStatusOfWhatALinkLeadsToDoesNotMakeTheLinkAFile() {
        Logs.Read log = Logs.read(
                "1 symlink(\"/b/same\", \"/a/same\") = 0",
                "1 stat(\"/a/same\", {st_mode=S_IFREG|0644, st_size=90, ...}) = 0",
                "1 openat(AT_FDCWD</>, \"/a/same\", O_RDONLY) = 3</b/same>",
                "1 unlink(\"/a/other\") = 0");
        assertThat(log.only("sys_unlink").path()).isEqualTo("/a/other");
    }
}
