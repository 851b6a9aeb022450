// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.packing.bdt.DeniedException;
import io.packing.bdt.ReadableBytes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ReadRightsTest {
    private static final FilePath PATH = new FilePath("/f");
    private static final FileVersion VERSION = new FileVersion(5, 6);

    private long nanos;
    private int asked;
    private Optional<ReadableBytes> answer = told(0, Long.MAX_VALUE, new ReadableBytes.Range(10, 20));
    private final ReadRights rights = new ReadRights(
            (path, version, user, offset) -> {
                asked++;
                return answer;
            },
            () -> nanos);

    private static Optional<ReadableBytes> told(long from, long until, ReadableBytes.Range... ranges) {
        return Optional.of(new ReadableBytes(from, until, List.of(ranges)));
    }

    private long end(long offset) throws IOException {
        return rights.readableUntil(PATH, VERSION, "carol", offset).orElse(-1);
    }

    @Test
    void aRangeThatTheMasterToldIsNotAskedForAgainUntilItIsOld() throws IOException {
        assertThat(end(10)).isEqualTo(20);
        assertThat(end(19)).isEqualTo(20);
        assertThat(asked).isEqualTo(1);
        nanos += ReadRights.KEEP.toNanos();
        answer = told(0, Long.MAX_VALUE);
        assertThatExceptionOfType(DeniedException.class).isThrownBy(() -> end(10));
    }

    @Test
    void bytesOutsideAreRefusedAndAskedForAgain() throws IOException {
        for (long offset : new long[] {0, 9, 20, Long.MAX_VALUE - 1}) {
            assertThatExceptionOfType(DeniedException.class)
                    .isThrownBy(() -> end(offset))
                    .withMessageContaining("user=carol")
                    .withMessageContaining("open it again");
        }
        assertThat(asked).isEqualTo(4);
        // The file has got more bytes.
        answer = told(0, Long.MAX_VALUE, new ReadableBytes.Range(10, 30));
        assertThat(end(20)).isEqualTo(30);
    }

    @Test
    void anAnswerCountsForTheOffsetsOfWhichItTells() throws IOException {
        answer = told(0, 50, new ReadableBytes.Range(10, 20));
        assertThat(end(10)).isEqualTo(20);
        answer = told(60, Long.MAX_VALUE, new ReadableBytes.Range(60, 70));
        assertThat(end(60)).isEqualTo(70);
        answer = told(0, 50, new ReadableBytes.Range(10, 15));
        assertThat(end(10)).isEqualTo(15);
        assertThat(asked).isEqualTo(3);
    }

    @Test
    void anotherUserPathOrVersionIsAskedForByItself() throws IOException {
        assertThat(end(10)).isEqualTo(20);
        answer = Optional.empty();
        assertThat(rights.readableUntil(PATH, VERSION, "bob", 10)).isEmpty();
        assertThat(rights.readableUntil(new FilePath("/g"), VERSION, "carol", 10))
                .isEmpty();
        assertThat(rights.readableUntil(PATH, new FileVersion(5, 7), "carol", 10))
                .isEmpty();
    }
}
