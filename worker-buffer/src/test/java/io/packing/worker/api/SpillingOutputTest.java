// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class SpillingOutputTest {
    private static final FileVersion VERSION = new FileVersion(7, 1);

    private final List<String> told = new ArrayList<>();
    private boolean full;
    private final Output output = new Output();

    private final class Output extends SpillingOutput {
        Output() {
            super(new FilePath("/f"), 4);
        }

        @Override
        protected CompletableFuture<FileVersion> put(ByteBuffer all) {
            return tell("put", all);
        }

        @Override
        protected void spill(ByteBuffer piece) throws IOException {
            if (full) {
                throw new IOException("no room");
            }
            CompletableFuture<FileVersion> unused = tell("spill", piece);
        }

        @Override
        protected CompletableFuture<FileVersion> finish(ByteBuffer last) {
            return tell("finish", last);
        }

        @Override
        protected void discard() {
            told.add("discard");
        }

        @Override
        public FileAttributes attributes() {
            throw new UnsupportedOperationException();
        }
    }

    private CompletableFuture<FileVersion> tell(String what, ByteBuffer bytes) {
        told.add(what + " " + StandardCharsets.US_ASCII.decode(bytes));
        return CompletableFuture.completedFuture(VERSION);
    }

    private void write(String text) throws IOException {
        output.write(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void aFileOfAWholePieceIsStillSmall() throws IOException {
        write("abcd");
        assertThatThrownBy(output::version).isInstanceOf(IllegalStateException.class);
        output.close();
        output.close();
        assertThat(told).containsExactly("put abcd");
        assertThat(output.version()).isEqualTo(VERSION);
    }

    @Test
    void aLargerFileIsHandedOnInPiecesHoweverItIsWritten() throws IOException {
        write("abc");
        output.write('d');
        write("efghij");
        output.close();
        assertThat(told).containsExactly("spill abcd", "spill efgh", "finish ij");
    }

    @Test
    void aFileOfWhichAWriteFailedIsGivenUpWhenItIsClosed() throws IOException {
        full = true;
        write("abcd");
        assertThatThrownBy(() -> write("e")).hasMessage("no room");
        for (int times = 0; times < 2; times++) {
            assertThatThrownBy(output::close).hasMessageContaining("/f was given up");
        }
        assertThat(told).containsExactly("discard");
    }

    @Test
    void aFileThatWasGivenUpIsClosedInSilence() throws IOException {
        full = true;
        write("abcd");
        assertThatThrownBy(() -> write("e")).hasMessage("no room");
        output.abort();
        output.abort();
        output.close();
        assertThat(told).containsExactly("discard");
    }

    @Test
    void aFileThatIsClosedTakesNoBytesAndStays() throws IOException {
        write("a");
        output.close();
        assertThatThrownBy(() -> write("b")).hasMessage("output of /f is closed");
        output.close();
        assertThat(told).containsExactly("put a");
    }
}
