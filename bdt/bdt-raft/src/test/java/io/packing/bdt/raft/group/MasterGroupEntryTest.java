// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A test that decoded entries equal the encoded ones, and that other bytes are refused. */
class MasterGroupEntryTest {
    private static final byte[] BYTES = {1, 2, 3};

    private static final List<MasterGroupEntry> ALL = List.of(
            new MasterGroupEntry.Rows("m", 3, 4, 5, 6, BYTES),
            new MasterGroupEntry.Part("m", 3, 4, 1, BYTES),
            new MasterGroupEntry.Begin("m", 7),
            new MasterGroupEntry.Fill("m", 7, BYTES),
            new MasterGroupEntry.Hold("m", 3, "a\nb", 7, 9),
            new MasterGroupEntry.Member("a", "instance", 2, "host:1"),
            new MasterGroupEntry.Nothing(),
            new MasterGroupEntry.Text("keys", 4, BYTES));

    @Test
    void eachKindComesBackAsItWas() throws IOException {
        for (MasterGroupEntry entry : ALL) {
            assertThat(MasterGroupEntry.decode(entry.encode()))
                    .usingRecursiveComparison()
                    .isEqualTo(entry);
        }
    }

    @Test
    void whatIsCutOffOrUnknownIsRefused() {
        for (MasterGroupEntry entry : ALL) {
            byte[] bytes = entry.encode();
            for (int length = 0; length < bytes.length; length++) {
                byte[] part = Arrays.copyOf(bytes, length);
                assertThatThrownBy(() -> MasterGroupEntry.decode(part))
                        .as(entry.toString())
                        .isInstanceOf(IOException.class);
            }
        }
        assertThatThrownBy(() -> MasterGroupEntry.decode(new byte[] {99}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("same version");
    }
}
