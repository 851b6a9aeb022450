// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.guarded;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.ByteRange;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.QuotaChange;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.seed.Seed;
import io.packing.worker.client.RemotePackingFileSystem;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A test that two pictures of an honest tree show each planted change. */
@Timeout(120)
final class PlantedChangesTest {
    private static final FilePath FILE = HonestTree.CLOSED.child("b").child("f1000");
    private static final FilePath DIRECTORY = HonestTree.CLOSED.child("b").child("d");

    @TempDir
    private Path home;

    private interface Change {
        void by(Bdt root) throws Exception;
    }

    private static Change apply(Operation... operations) {
        return root -> assertThat(root.apply(OperationVector.of(operations))).isInstanceOf(VectorResult.Applied.class);
    }

    private static Operation attributes(FilePath path, AttributeChange change) {
        return new Operation.SetAttributes(path, change);
    }

    private static Map<String, Change> changes() {
        Map<String, Change> all = new LinkedHashMap<>();
        all.put("bytes", apply(new Operation.MoveRange(new ByteRange(FILE, 0, 8), FILE, 16)));
        all.put("length", apply(new Operation.Truncate(FILE, 5)));
        all.put(
                "mode",
                apply(attributes(FILE, new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.of(0644)))));
        all.put(
                "owner",
                apply(attributes(
                        FILE, new AttributeChange(Optional.of("mallory"), Optional.empty(), OptionalInt.empty()))));
        all.put("time", apply(attributes(DIRECTORY, AttributeChange.ofMtime(1))));
        all.put(
                "attribute",
                apply(attributes(
                        FILE,
                        AttributeChange.ofExtended(ExtendedChange.put("user.x", new ExtendedValue(new byte[1]))))));
        all.put("name", apply(new Operation.Link(FILE, HonestTree.PUBLIC.child("another"))));
        all.put("snapshot", apply(new Operation.TakeSnapshot(DIRECTORY, "another")));
        all.put("no snapshot", apply(new Operation.DropSnapshot(DIRECTORY, "monday")));
        all.put("deleted", apply(new Operation.Delete(FILE, false)));
        all.put(
                "quota",
                root -> assertThat(root.setQuota(DIRECTORY, new QuotaChange(OptionalLong.of(77), OptionalLong.empty())))
                        .isNotNull());
        return all;
    }

    @Test
    void everyChangeOfAnHonestTreeIsSeen() throws Exception {
        try (GuardedHouse house = new GuardedHouse(home.resolve("house"), Plant.NONE, Map.of())) {
            HonestTree unused = HonestTree.make(house, new Marks(new SplittableRandom(Seed.value())));
            RemotePackingFileSystem root = house.mount(GuardedHouse.SUPERUSER);
            TreePicture before = TreePicture.of(root, Set.of());
            assertThat(before.changes(TreePicture.of(root, Set.of()))).isEmpty();
            for (Map.Entry<String, Change> each : changes().entrySet()) {
                each.getValue().by(root.bdt());
                TreePicture after = TreePicture.of(root, Set.of());
                assertThat(before.changes(after)).as(each.getKey()).isNotEmpty();
                before = after;
            }
        }
    }
}
