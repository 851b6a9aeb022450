// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.Bdt;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.bdt.UnavailableException;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.operations.dedup.Dedup;
import io.packing.operations.dedup.Deduplicated;
import io.packing.worker.api.PackingInput;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of dedup with files that change meanwhile, and with unreadable files. */
@Timeout(120)
class DedupRaceTest {
    private static final FilePath TOP = new FilePath("/d");

    /** Another client. */
    private interface Other {
        void act() throws IOException;
    }

    @TempDir
    private Path directory = Path.of("");

    private CommandMount mount;
    /** Another client's action as soon as a file was opened. */
    private final Map<String, Other> afterOpen = new HashMap<>();

    private final List<String> warnings = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        mount = CommandMount.start(directory);
    }

    @AfterEach
    void stop() throws IOException {
        mount.close();
    }

    private void write(String path, String text) throws IOException {
        mount.write(path, text.getBytes(StandardCharsets.US_ASCII));
    }

    private String text(String path) throws IOException {
        return new String(mount.read(path), StandardCharsets.US_ASCII);
    }

    private PackingInput open(LocatedFile file) throws IOException {
        PackingInput input = mount.open(file.status().path());
        Other other = afterOpen.remove(file.status().path().value());
        if (other != null) {
            // The other client may replace the bytes, which would make them unreadable: so the test reads them before.
            byte[] bytes = mount.read(file.status().path().value());
            other.act();
            return new Remembered(input, bytes);
        }
        return input;
    }

    private Deduplicated dedup(Bdt bdt) throws IOException {
        return new Dedup(bdt, this::open, false, warnings::add).run(TOP, seen -> {});
    }

    private void assertLeftAlone(Deduplicated result, long files) {
        assertThat(result.files()).isEqualTo(files);
        assertThat(result.duplicates()).isZero();
        assertThat(result.sharedBytes()).isZero();
        assertThat(result.changed()).isEqualTo(1);
    }

    @Test
    void aDuplicateThatIsOverwrittenAfterItWasReadKeepsItsNewBytes() throws IOException {
        write("/d/a", "0123456789");
        write("/d/b", "0123456789");
        afterOpen.put("/d/b", () -> write("/d/b", "9876543210"));
        assertLeftAlone(dedup(mount.bdt()), 2);
        assertThat(text("/d/b")).isEqualTo("9876543210");
    }

    @Test
    void aSourceThatIsOverwrittenAfterItWasReadGivesItsNewBytesToNobody() throws IOException {
        write("/d/a", "0123456789");
        write("/d/b", "0123456789");
        afterOpen.put("/d/b", () -> write("/d/a", "9876543210"));
        assertLeftAlone(dedup(mount.bdt()), 2);
        assertThat(text("/d/b")).isEqualTo("0123456789");
        assertThat(text("/d/a")).isEqualTo("9876543210");
    }

    @Test
    void aDuplicateThatIsDeletedStaysDeleted() throws IOException {
        write("/d/a", "0123456789");
        write("/d/b", "0123456789");
        afterOpen.put("/d/b", () -> assertThat(mount.deleteFailure("/d/b")).isEmpty());
        assertLeftAlone(dedup(mount.bdt()), 2);
        assertThat(mount.has("/d/b")).isFalse();
    }

    @Test
    void anotherFileOfTheSameBytesInTheDuplicatesPlaceIsLeftAloneToo() throws IOException {
        write("/d/a", "0123456789");
        write("/d/b", "0123456789");
        afterOpen.put("/d/b", () -> write("/d/b", "0123456789"));
        assertLeftAlone(dedup(mount.bdt()), 2);
    }

    @Test
    void oneThatChangesDoesNotKeepTheOthersFromBeingShared() throws IOException {
        // More than one vector takes, and the one that changes is in the middle of one.
        int count = 1_100;
        for (int i = 0; i < count; i++) {
            write("/d/f%04d".formatted(i), "the same");
        }
        afterOpen.put("/d/f0700", () -> write("/d/f0600", "new ones"));
        Deduplicated result = dedup(mount.bdt());
        assertThat(result.duplicates()).isEqualTo(count - 2);
        assertThat(result.changed()).isEqualTo(1);
        assertThat(result.sharedBytes()).isEqualTo(8L * (count - 2));
        assertThat(result.physicalBytes()).isEqualTo(16);
        assertThat(text("/d/f0600")).isEqualTo("new ones");
        assertThat(text("/d/f0000")).isEqualTo("the same");
        assertThat(text("/d/f1099")).isEqualTo("the same");
        Deduplicated again = dedup(mount.bdt());
        assertThat(again.alreadyShared()).isEqualTo(count - 2);
        assertThat(again.duplicates()).isZero();
    }

    @Test
    void whatIsLostIsLeftAloneAndNamed() throws IOException {
        write("/d/a", "0123456789");
        write("/d/b", "0123456789");
        write("/d/c", "0123456789");
        Deduplicated result = dedup(answering(new FilePath("/d/a"), new Placement.Lost("w7")));
        assertThat(result.unreadable()).isEqualTo(1);
        assertThat(result.duplicates()).isEqualTo(1);
        assertThat(result.physicalBytes()).isEqualTo(20);
        assertThat(warnings).containsExactly("/d/a is left alone: worker w7 came back without its bytes");
    }

    /** The table, but for the place of one file. */
    private Bdt answering(FilePath path, Placement placement) {
        return (Bdt) Proxy.newProxyInstance(
                Bdt.class.getClassLoader(), new Class<?>[] {Bdt.class}, (proxy, method, arguments) -> {
                    Object answer;
                    try {
                        answer = method.invoke(mount.bdt(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    boolean asked = method.getName().equals("locate") && path.equals(arguments[0]);
                    return asked
                            ? ((Optional<?>) answer)
                                    .map(found -> new LocatedFile(((LocatedFile) found).status(), placement))
                            : answer;
                });
    }

    @Test
    void aStoreThatDoesNotAnswerEndsTheRun() throws IOException {
        write("/d/a", "0123456789");
        write("/d/b", "0123456789");
        afterOpen.put("/d/a", () -> {
            throw new UnavailableException("no answer");
        });
        assertThatThrownBy(() -> dedup(mount.bdt())).isInstanceOf(UnavailableException.class);
        assertThat(text("/d/b")).isEqualTo("0123456789");
    }

    /** An input with the bytes from before another client replaced them. */
    private static final class Remembered implements PackingInput {
        private final PackingInput input;
        private final byte[] bytes;

        Remembered(PackingInput input, byte[] bytes) {
            this.input = input;
            this.bytes = bytes;
        }

        @Override
        public FileAttributes attributes() {
            return input.attributes();
        }

        @Override
        public int read(long position, ByteBuffer into) {
            int count = (int) Math.min(into.remaining(), bytes.length - position);
            into.put(bytes, (int) position, count);
            return count;
        }

        @Override
        public void close() {
            input.close();
        }
    }
}
