package io.packing.bdt.raft.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A test that decoded entries equal the encoded ones, and that other bytes are refused. */
class GroupEntryTest {
    private static final byte[] BYTES = {1, 2, 3};

    private static final List<GroupEntry> ALL = List.of(
            new GroupEntry.Rows("m", 3, 4, 5, 6, BYTES),
            new GroupEntry.Part("m", 3, 4, 1, BYTES),
            new GroupEntry.Begin("m", 7),
            new GroupEntry.Fill("m", 7, BYTES),
            new GroupEntry.Hold("m", 3, "a\nb", 7, 9),
            new GroupEntry.Member("a", "instance", 2, "host:1"),
            new GroupEntry.Nothing(),
            new GroupEntry.Text("keys", 4, BYTES));

    @Test
    void eachKindComesBackAsItWas() throws IOException {
        for (GroupEntry entry : ALL) {
            assertThat(GroupEntry.decode(entry.encode()))
                    .usingRecursiveComparison()
                    .isEqualTo(entry);
        }
    }

    @Test
    void whatIsCutOffOrUnknownIsRefused() {
        for (GroupEntry entry : ALL) {
            byte[] bytes = entry.encode();
            for (int length = 0; length < bytes.length; length++) {
                byte[] part = Arrays.copyOf(bytes, length);
                assertThatThrownBy(() -> GroupEntry.decode(part))
                        .as(entry.toString())
                        .isInstanceOf(IOException.class);
            }
        }
        assertThatThrownBy(() -> GroupEntry.decode(new byte[] {99}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("same version");
    }
}
