package io.packing.trace.syscalls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is learnt of names from what the kernel calls them. */
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
}
