// SPDX-License-Identifier: Apache-2.0
package io.packing.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
final class DirectoryLockTest {
    @TempDir
    Path temp;

    @Test
    void aDirectoryIsTakenOnceHoweverItIsSpelt() throws IOException {
        Path spelt = temp.resolve("..").resolve(temp.getFileName());
        try (DirectoryLock first = DirectoryLock.acquire(temp, "lock")) {
            assertThatThrownBy(() -> DirectoryLock.acquire(spelt, "lock"))
                    .isInstanceOf(DirectoryInUseException.class)
                    .hasMessageContaining("in use by this process");
            first.close();
            DirectoryLock.acquire(spelt, "lock").close();
        }
    }

    /** The refused opener has not given the lock of the first away. */
    @Test
    void anotherProcessIsRefusedAlsoAfterARefusalInThisOne() throws Exception {
        try (DirectoryLock ignored = DirectoryLock.acquire(temp, "lock")) {
            assertThatThrownBy(() -> DirectoryLock.acquire(temp, "lock")).isInstanceOf(DirectoryInUseException.class);
            assertThat(otherProcess()).contains("in use by another process");
        }
        assertThat(otherProcess()).isEqualTo("taken");
    }

    @Test
    void ofAProcessThatEndedNothingStaysButTheFile() throws Exception {
        assertThat(otherProcess()).isEqualTo("taken");
        assertThat(temp.resolve("lock")).exists();
        DirectoryLock.acquire(temp, "lock").close();
    }

    private String otherProcess() throws Exception {
        Path out = temp.resolve("out");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Taker.class.getName(),
                        temp.toString())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        int unused = process.waitFor();
        return Files.readString(out);
    }

    /** Another process, which takes the lock and ends. */
    static final class Taker {
        private Taker() {}

        public static void main(String[] args) throws IOException {
            try {
                DirectoryLock unused = DirectoryLock.acquire(Path.of(args[0]), "lock");
                System.out.print("taken");
            } catch (DirectoryInUseException e) {
                System.out.print(e.getMessage());
            }
        }
    }
}
