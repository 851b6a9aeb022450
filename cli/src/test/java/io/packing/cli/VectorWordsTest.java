// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Operation;
import io.packing.blob.FilePath;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class VectorWordsTest {
    private static final FilePath A = new FilePath("/a");
    private static final FilePath B = new FilePath("/b");
    private static final ByteRange RANGE = new ByteRange(A, 3, 4);
    private static final AttributeChange ALL =
            new AttributeChange(Optional.of("o"), Optional.of("g"), OptionalInt.of(0640), OptionalLong.of(5));

    private static final List<Operation> EVERY_KIND = List.of(
            new Operation.CloneRange(RANGE, B, 7),
            new Operation.MoveRange(RANGE, B, 7),
            new Operation.DeleteRange(RANGE),
            new Operation.Truncate(A, 5),
            new Operation.CloneFile(A, B, true, ALL),
            new Operation.CloneDirectory(A, B),
            new Operation.Rename(A, B, true),
            new Operation.Link(A, B),
            new Operation.MergeDirectory(A, B),
            new Operation.MergeEachDirectory(A, Optional.of("x"), B),
            new Operation.CreateFile(A, ALL, true),
            new Operation.Delete(A, false),
            new Operation.MakeDirectory(A, new DirectoryAttributes("o", "g", 0755), true),
            new Operation.SetAttributes(A, ALL),
            new Operation.TakeSnapshot(A, "s"),
            new Operation.RenameSnapshot(A, "s", "t"),
            new Operation.DropSnapshot(A, "s"));

    @Test
    void everyOperationHasWordsOfItsOwn() {
        assertThat(EVERY_KIND.stream().map(Object::getClass))
                .containsExactlyInAnyOrder(Operation.class.getPermittedSubclasses());
        assertThat(EVERY_KIND)
                .extracting(VectorWords::operation)
                .containsExactly(
                        "clone 4 bytes from offset 3 of /a to offset 7 of /b",
                        "move 4 bytes from offset 3 of /a to offset 7 of /b",
                        "punch 4 bytes from offset 3 of /a",
                        "truncate /a to 5 bytes",
                        "clone /a to /b with owner o, group g, mode 0640, modification time 5 ms",
                        "clone the directory /a to /b",
                        "move /a to /b",
                        "give /a the name /b, too",
                        "move all that is in /a into /b",
                        "move all that is in the directories of /a into /b",
                        "create /a",
                        "delete /a",
                        "make the directory /a",
                        "give /a owner o, group g, mode 0640, modification time 5 ms",
                        "take the snapshot s of /a",
                        "rename the snapshot s of /a to t",
                        "delete the snapshot s of /a");
    }
}
