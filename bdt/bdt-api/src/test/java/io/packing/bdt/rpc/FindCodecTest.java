// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.bdt.DeniedException;
import io.packing.bdt.FileStatus;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.Placement;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class FindCodecTest {
    private static final FilePath A = new FilePath("/a");
    private static final FilePath B = new FilePath("/b");

    private static FoundEntry found(FilePath path, FileStatus.State state, Optional<Placement> placement) {
        FileAttributes attributes = new FileAttributes(0, 1_000, "u", "g", 0644);
        return FoundEntry.of(
                new ListedEntry(new FileStatus(path, new FileVersion(7, 8), attributes, state), placement));
    }

    @Test
    void eachAnswerComesBack() {
        List<FoundEntry> all = List.of(
                found(A, FileStatus.State.DIRECTORY, Optional.empty()),
                // An empty file has no extents either.
                found(A, FileStatus.State.PACKED, Optional.of(new Placement.Packed(List.of()))),
                found(A, FileStatus.State.PACKED, Optional.empty()),
                found(A, FileStatus.State.BUFFERED, Optional.of(new Placement.Buffered("w", "127.0.0.1:1"))),
                found(A, FileStatus.State.LOST, Optional.of(new Placement.Lost("w"))),
                found(A, FileStatus.State.MAPPED, Optional.of(new Placement.Mapped(List.of()))),
                FoundEntry.NOTHING,
                FoundEntry.of(new DeniedException("Permission denied: user=carol")));
        FindRequest request = FindCodec.request("m", all.stream().map(each -> A).toList());
        assertThat(FindCodec.found(FindCodec.reply(all), FindCodec.paths(request)))
                .isEqualTo(all);
    }

    @Test
    void aLongReasonIsCutOff() {
        FoundEntry denied = FoundEntry.of(new DeniedException("d".repeat(60_000)));
        assertThat(FindCodec.reply(List.of(denied)).getSerializedSize()).isLessThan(1_000);
    }

    @Test
    void aReplyMayBeShorterThanTheQuestionButNotEmptyOrLonger() {
        FindReply one = FindCodec.reply(List.of(FoundEntry.NOTHING));
        assertThat(FindCodec.found(one, List.of(A, B))).containsExactly(FoundEntry.NOTHING);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FindCodec.found(FindReply.getDefaultInstance(), List.of(A)))
                .withMessage("0 answers for 1 paths");
        FindReply two = FindCodec.reply(List.of(FoundEntry.NOTHING, FoundEntry.NOTHING));
        assertThatIllegalArgumentException().isThrownBy(() -> FindCodec.found(two, List.of(A)));
    }

    @Test
    void whatIsDeniedHasNoEntry() {
        Optional<ListedEntry> entry =
                found(A, FileStatus.State.DIRECTORY, Optional.empty()).entry();
        assertThatIllegalArgumentException().isThrownBy(() -> new FoundEntry(entry, Optional.of("no")));
    }
}
