// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.Outcome;
import io.packing.bdt.QuotaChange;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs on a mount get EDQUOT where a directory would exceed its quota. */
@Timeout(300)
class QuotaMountTest extends OneMountFixture {
    private static final String EDQUOT = "Disk quota exceeded";

    @Test
    void programsLearnOfQuotas() throws IOException {
        Path directory = Files.createDirectory(root.resolve("d"));
        Files.write(directory.resolve("a"), new byte[10]);
        Files.createDirectory(root.resolve("elsewhere"));
        assertThat(rig.files()
                        .bdt()
                        .setQuota(new FilePath("/d"), new QuotaChange(OptionalLong.of(3), OptionalLong.of(20))))
                .isEqualTo(Outcome.DONE);
        try (FileChannel file = FileChannel.open(directory.resolve("a"), StandardOpenOption.WRITE)) {
            assertThat(file.write(ByteBuffer.allocate(30))).isEqualTo(30);
            assertThatThrownBy(() -> file.force(true))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(EDQUOT);
            // Give the excess bytes up, so that the file can be closed.
            assertThat(file.truncate(5).size()).isEqualTo(5);
            file.force(true);
        }
        Files.createDirectory(directory.resolve("b"));
        assertThatThrownBy(() -> Files.createDirectory(directory.resolve("c"))).hasMessageContaining(EDQUOT);
        assertThatThrownBy(() -> Files.move(root.resolve("elsewhere"), directory.resolve("c")))
                .hasMessageContaining(EDQUOT);
        assertThatThrownBy(() -> Files.createLink(directory.resolve("c"), directory.resolve("a")))
                .hasMessageContaining(EDQUOT);
        assertThat(Files.exists(root.resolve("elsewhere"))).isTrue();
    }
}
