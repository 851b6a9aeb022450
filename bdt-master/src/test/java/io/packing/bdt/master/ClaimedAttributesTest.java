// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.Outcome;
import io.packing.bdt.RareAttributeChange;
import io.packing.bdt.Reclaim;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Extended attributes in a claim: a file has them from its first moment on, and a recovery gives them to no other file. */
class ClaimedAttributesTest extends LostFilesFixture {
    private static final FilePath A = new FilePath("/d/a");
    private static final long TIME = 4_001;
    private static final int NANOS = 123;

    private static ExtendedValue value(String text) {
        return new ExtendedValue(text.getBytes(StandardCharsets.UTF_8));
    }

    private static RareAttributeChange put(String value) {
        return new RareAttributeChange(List.of(ExtendedChange.put("user.a", value(value))), NANOS, Optional.empty());
    }

    private static Claim wanted(long id, FileAttributes attributes, RareAttributeChange extra) {
        return new Claim(id, A, attributes, true, true, false, Optional.empty(), false, Optional.empty(), extra);
    }

    private Reclaim claim(RareAttributeChange extra) throws IOException {
        FileAttributes attributes = new FileAttributes(8, TIME, "u", "g", 0644);
        ClaimResult result =
                session.claim(wanted(session.newFileId(), attributes, extra)).join();
        Reclaim file = new Reclaim(((ClaimResult.Granted) result).version(), A, attributes);
        buffered.add(file);
        return file;
    }

    private void assertHas(String value) throws IOException {
        assertThat(table.extended(A).orElseThrow()).isEqualTo(Map.of("user.a", value(value)));
        assertThat(table.stat(A).orElseThrow().attributes().mtimeMillis()).isEqualTo(TIME);
        assertThat(table.stat(A).orElseThrow().extras().nanos()).isEqualTo(NANOS);
    }

    @Test
    void theFileHasThemFromItsFirstMomentOn() throws IOException {
        Reclaim unused = claim(put("1"));
        assertHas("1");
        crashMaster();
        assertHas("1");
    }

    @Test
    void aFileThatIsReplacedLeavesNoneOfItsOwn() throws IOException {
        claim("/d/a");
        AttributeChange older = AttributeChange.ofExtended(ExtendedChange.put("user.b", value("0")));
        assertThat(table.setAttributes(A, older)).isEqualTo(Outcome.DONE);
        Reclaim unused = claim(put("1"));
        assertHas("1");
    }

    @Test
    void anImpossibleStepIsRefusedAndChangesNothing() throws IOException {
        FileAttributes attributes = new FileAttributes(8, TIME, "u", "g", 0644);
        RareAttributeChange remove = RareAttributeChange.of(ExtendedChange.of(ExtendedChange.Kind.REMOVE, "user.a"));
        assertThat(session.claim(wanted(session.newFileId(), attributes, remove))
                        .join())
                .isEqualTo(new ClaimResult.Refused(Outcome.NO_ATTRIBUTE));
        assertThat(table.stat(A)).isEmpty();
    }

    @Test
    void aClaimThatWaitsForItsCommitHasNone() {
        FileAttributes attributes = new FileAttributes(8, TIME, "u", "g", 0644);
        assertThatThrownBy(() -> new Claim(
                        1, A, attributes, true, true, true, Optional.empty(), false, Optional.empty(), put("1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/d/a");
    }

    @Test
    void aFileThatSharesBytesHasThem() throws IOException {
        claim("/d/x");
        byte[] bytes = "some bytes".getBytes(StandardCharsets.UTF_8);
        Claim first = hashed(session.newFileId(), new FilePath("/d/first"), bytes);
        assertThat(session.claim(first).join()).isInstanceOf(ClaimResult.Granted.class);
        Claim second = hashed(session.newFileId(), A, bytes);
        Claim wanted = new Claim(
                second.fileId(),
                A,
                new FileAttributes(bytes.length, TIME, "u", "g", 0644),
                true,
                true,
                false,
                second.sha256(),
                false,
                Optional.empty(),
                put("2"));
        assertThat(share(wanted).orElseThrow()).isInstanceOf(ClaimResult.Granted.class);
        assertHas("2");
    }

    @Test
    void aRebuildFromTheStoreHasThem() throws IOException {
        Reclaim unused = claim(put("1"));
        push(true);
        uploadJournal();
        loseMaster();
        assertHas("1");
    }

    @Test
    void aFileThatComesBackWithItsWorkerHasThem() throws IOException {
        recoverOnce();
        session = register("w");
        Reclaim file = claim(put("1"));
        uploadJournal();
        loseMaster();
        session = register("w");
        assertThat(session.reclaim(List.of(file)).get(0)).isPresent();
        assertHas("1");
    }

    @Test
    void aRebuildGivesThemNotToTheOlderFileAtThePath() throws IOException {
        Reclaim unused = claim(put("1"));
        push(true);
        // Its bytes are only in the buffer of a worker that never comes back.
        Reclaim unusedToo = claim(put("2"));
        uploadJournal();
        loseMaster();
        assertHas("1");
    }
}
