// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import org.junit.jupiter.api.Test;

/** Calls without a kernel find the nodes that the kernel would find. */
class RehearsalCallsTest {
    private static final int MOST_BYTES = 8192;
    private static final Caller CALLER = new Caller(0, 0, 1, false, () -> false);

    private final InMemoryFiles files = new InMemoryFiles(Clock.systemUTC());
    private final RehearsalCalls calls = new RehearsalCalls(files, MOST_BYTES);

    @Test
    void namesBytesAndAttributesAreThoseOfTheFileSystem() throws Exception {
        long file = files.create(CALLER, FuseFileSystem.ROOT, "file", 0644, 0)
                .entry()
                .node();
        files.write(CALLER, file, 0, 0, ByteBuffer.wrap(new byte[10_000]));
        files.setExtendedAttribute(CALLER, file, "user.a", "b".getBytes(StandardCharsets.UTF_8), 0);
        assertThat(calls.lookup(FuseFileSystem.ROOT, "file")).hasValue(file);
        assertThat(calls.read(file, 0, MOST_BYTES)).isEqualTo(MOST_BYTES);
        assertThat(calls.read(file, MOST_BYTES, MOST_BYTES)).isEqualTo(10_000 - MOST_BYTES);
        assertThat(calls.hasExtended(file, "user.a")).isTrue();
        calls.forget(file, 1);
        assertThat(calls.lookup(FuseFileSystem.ROOT, "file")).hasValue(file);
    }

    @Test
    void whatIsNotThereIsNoError() {
        long nowhere = 77;
        assertThat(calls.lookup(FuseFileSystem.ROOT, "none")).isEmpty();
        assertThat(calls.lookup(nowhere, "none")).isEmpty();
        assertThat(calls.read(nowhere, 0, MOST_BYTES)).isEqualTo(-1);
        assertThat(calls.hasExtended(FuseFileSystem.ROOT, "user.a")).isFalse();
        calls.forget(nowhere, 1);
    }
}
