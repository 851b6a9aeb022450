// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.bdt.Bdt;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.OneByOne;
import io.packing.bdt.Placement;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A user is denied each path that is secret to them, and no other one. */
@Timeout(120)
final class FindPermissionsTest extends PermissionsFixture {
    private List<FoundEntry> find(Permissions who, String... paths) throws IOException {
        List<FilePath> asked = FindFixture.paths(paths);
        return FindFixture.findsAsAlone(new LocalBdt(master.openMount(TestStores.MOUNT), who), asked);
    }

    @Test
    void aPathThatSomebodyMayNotLookUpIsDeniedAndTheOthersAreAnswered() throws IOException {
        make(ALICE, "/open", 0755);
        make(ALICE, "/open/closed", 0700);
        apply(as(ALICE), file("/open/f"), file("/open/closed/f"));
        List<FoundEntry> found = find(
                CAROL, "/open/closed/f", "/open/f", "/open/closed/none", "/open/closed", "/none", "/open/closed/f/x");
        assertThat(found.get(0).denied())
                .contains(denied(() -> as(CAROL).stat(path("/open/closed/f"))))
                .hasValueSatisfying(why -> assertThat(why).contains("user=carol", "\"/open/closed\""));
        // The reason does not reveal whether the path exists.
        assertThat(found.get(2)).isEqualTo(found.get(0));
        assertThat(found.get(5)).isEqualTo(found.get(0));
        assertThat(found.get(0).entry()).isEmpty();
        assertThat(found.get(1).entry()).isPresent();
        assertThat(found.get(3).entry().orElseThrow().status().isDirectory()).isTrue();
        assertThat(found.get(4)).isEqualTo(FoundEntry.NOTHING);
        assertThat(find(ALICE, "/open/closed/f", "/open/closed/none"))
                .extracting(FoundEntry::denied)
                .containsOnly(Optional.empty());
    }

    @Test
    void aTableThatFindsOnePathAfterTheOtherAnswersTheSame() throws IOException {
        make(ALICE, "/open", 0755);
        make(ALICE, "/open/closed", 0700);
        apply(as(ALICE), file("/open/f"), file("/open/g"), file("/open/closed/f"));
        done(as(ALICE).setAttributes(0, path("/open/g"), mode(0600)));
        Bdt carol = new LocalBdt(master.openMount(TestStores.MOUNT), CAROL);
        List<FilePath> paths = FindFixture.paths("/open/f", "/open/g", "/open", "/open/closed/f", "/none", "/open/f/x");
        assertThat(OneByOne.find(carol, paths)).isEqualTo(carol.find(paths));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OneByOne.find(carol, Collections.nCopies(FoundEntry.MOST_PATHS + 1, path("/open"))));
    }

    @Test
    void aFileThatSomebodyMayNotReadIsFoundWithoutItsPlace() throws IOException {
        make(ALICE, "/open", 0755);
        apply(as(ALICE), file("/open/f"));
        done(as(ALICE).setAttributes(0, path("/open/f"), group("staff")));
        done(as(ALICE).setAttributes(0, path("/open/f"), mode(0640)));
        FoundEntry found = find(CAROL, "/open/f").get(0);
        assertThat(found.entry().orElseThrow()).satisfies(entry -> {
            assertThat(entry.status()).isEqualTo(as(CAROL).stat(path("/open/f")).orElseThrow());
            assertThat(entry.status().isDirectory()).isFalse();
            assertThat(entry.placement()).isEmpty();
        });
        String unused = denied(() -> as(CAROL).locate(path("/open/f")));
        Optional<Placement> forBob = find(BOB, "/open/f").get(0).entry().flatMap(ListedEntry::placement);
        assertThat(forBob).as("bob is in the group").isPresent();
    }

    @Test
    void aListingThatIsDeniedHidesNoNameThatMayBeLookedUp() throws IOException {
        make(ALICE, "/way", 0711);
        apply(as(ALICE), file("/way/f"));
        done(as(ALICE).setAttributes(0, path("/way/f"), mode(0644)));
        String unused = denied(() -> as(CAROL).listLocated(path("/way"), "", 10));
        assertThat(find(CAROL, "/way/f").get(0).entry().flatMap(ListedEntry::placement))
                .isPresent();
    }
}
