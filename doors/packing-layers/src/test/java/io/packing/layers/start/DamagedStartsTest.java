// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.Outcome;
import io.packing.bdt.RareAttributeChange;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.registry.files.Layout;
import io.packing.registry.files.VectorBuilder;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Starts of containers that go early, of images that are gone, and such as were damaged. */
@Timeout(300)
class DamagedStartsTest extends StartsFixture {
    @Test
    void aContainerThatIsRemovedAtOnceLeavesItsStart() throws Exception {
        Machine first = new Machine();
        FilePath root = container("one", IMAGE);
        first.starts.lookedUp(root);
        first.read(root.child("program"), program);
        first.read(root.child("a library"), library);
        assertThat(containers.remove("one")).isTrue();
        first.endStart();
        assertThatNextFindsTheLibrary("two");
    }

    @Test
    void aContainerWhoseNameAnotherOneTakesAtOnceLeavesItsStart() throws Exception {
        Machine first = new Machine();
        FilePath root = container("one", IMAGE);
        first.starts.lookedUp(root);
        first.starts.lookedUp(root.child("program"));
        first.read(root.child("a library"), library);
        assertThat(containers.remove("one")).isTrue();
        first.starts.forget(root.parent().orElseThrow());
        FilePath again = container("one", IMAGE);
        first.found.clear();
        first.starts.lookedUp(again);
        assertThat(first.found).as("of a start that begins anew").contains(again.child("program"));
        rig.mount().flush();
        assertThatNextFindsTheLibrary("two");
    }

    private void assertThatNextFindsTheLibrary(String name) throws IOException {
        Machine next = new Machine();
        FilePath root = container(name, IMAGE);
        next.starts.lookedUp(root);
        assertThat(next.read(root.child("a library"), library)).isZero();
    }

    @Test
    void theIndexOfAStartIsInTheTable() throws Exception {
        startOnce("one", IMAGE);
        Machine second = new Machine();
        FilePath index = entries(kept()).get(0).path();
        StartPack pack = IndexAttribute.read(rig.mount().bdt(), index).orElseThrow();
        assertThat(pack.pages()).isNotEmpty();
        // A damaged index there is read from the file.
        AttributeChange damage = AttributeChange.NONE.with(RareAttributeChange.of(
                ExtendedChange.put(IndexAttribute.NAME, new ExtendedValue(new byte[] {1, 2, 3}))));
        assertThat(rig.mount().bdt().setAttributes(index, damage)).isEqualTo(Outcome.DONE);
        assertThat(IndexAttribute.read(rig.mount().bdt(), index)).isEmpty();
        FilePath root = container("two", IMAGE);
        second.starts.lookedUp(root);
        assertThat(second.read(root.child("a library"), library)).isZero();
    }

    @Test
    void whatIsDamagedCostsTimeOnlyAndIsRecordedAgain() throws Exception {
        startOnce("one", IMAGE);
        FilePath index = entries(kept()).get(0).path();
        FilePath piece = entries(kept()).get(1).path();
        replace(piece, new byte[(int) entries(kept()).get(1).attributes().length()]);
        Machine second = new Machine();
        FilePath root = container("two", IMAGE);
        second.starts.lookedUp(root);
        second.read(root.child("program"), program);
        second.read(root.child("a library"), library);
        replace(piece, new byte[5]);
        Machine third = new Machine();
        FilePath cut = container("three", IMAGE);
        third.starts.lookedUp(cut);
        third.read(cut.child("program"), program);
        replace(index, "nothing of the kind\n".repeat(100).getBytes(StandardCharsets.US_ASCII));
        startOnce("four", IMAGE);
        Machine last = new Machine();
        FilePath healed = container("five", IMAGE);
        last.starts.lookedUp(healed);
        assertThat(last.read(healed.child("a library"), library)).isZero();
    }

    private void replace(FilePath path, byte[] bytes) throws IOException {
        VectorResult unused =
                registry.files().apply(new VectorBuilder().delete(path).build());
        try (PackingOutput out = registry.files().create(path)) {
            out.write(bytes);
        }
        rig.mount().flush();
    }

    @Test
    void anImageThatIsGoneKeepsNothing() throws Exception {
        Machine machine = new Machine();
        FilePath root = container("one", IMAGE);
        machine.read(root.child("program"), program);
        VectorResult unused = registry.files()
                .apply(new VectorBuilder().delete(kept().parent().orElseThrow()).build());
        machine.endStart();
        assertThat(entries(registry.layout().scratch("-").parent().orElseThrow()))
                .isEmpty();
        // A directory that is no container has no start either.
        machine.starts.lookedUp(registry.layout().container("none").child(Layout.ROOT));
        machine.starts.read(
                registry.layout().container("none").child(Layout.ROOT).child("f"), 0, 1);
        machine.endStart();
    }

    /** An index that the table has no room for is read from its file. */
    @ParameterizedTest
    @ValueSource(ints = {60, 240})
    void manyNamesAreFoundWhereverTheirIndexIs(int length) throws Exception {
        Machine first = new Machine();
        FilePath root = container("one", IMAGE);
        first.starts.lookedUp(root);
        List<String> names = new ArrayList<>();
        byte[] bytes = new byte[length / 2];
        for (int i = 0; i < 2 * StartPack.MOST_NAMES; i++) {
            random.nextBytes(bytes);
            names.add(HexFormat.of().formatHex(bytes));
            first.starts.lookedUp(root.child(names.get(i)));
        }
        first.read(root.child("program"), program);
        first.endStart();
        FilePath index = entries(kept()).get(0).path();
        assertThat(IndexAttribute.read(rig.mount().bdt(), index).isPresent()).isEqualTo(length == 60);
        Machine second = new Machine();
        FilePath next = container("two", IMAGE);
        second.starts.lookedUp(next);
        assertThat(second.found)
                .hasSizeBetween(StartPack.MOST_NAMES - 1, StartPack.MOST_NAMES)
                .startsWith(next.child(names.get(0)), next.child(names.get(1)))
                .allMatch(each -> names.contains(each.name()));
    }
}
