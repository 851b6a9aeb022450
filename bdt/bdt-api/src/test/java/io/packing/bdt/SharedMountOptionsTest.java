// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SharedMountOptionsTest {
    private static SharedMountOptions of(String... options) {
        Map<String, String> raw = new HashMap<>();
        for (int i = 0; i < options.length; i += 2) {
            raw.put(options[i], options[i + 1]);
        }
        return SharedMountOptions.of(raw);
    }

    @Test
    void optionsOfOneProcessAreNotAmongThem() {
        assertThat(of("packing.store", "s3://bucket", "packing.threads", "4", "packing.master.timeout", "1s"))
                .isEqualTo(SharedMountOptions.NONE);
        assertThat(SharedMountOptions.NONE.all())
                .hasSameSizeAs(SharedMountOptions.OPTIONS)
                .containsEntry("packing.gc.grace", "1h");
    }

    @Test
    void aStrongerDurabilityIsAdmittedAndAWeakerOneIsNot() {
        SharedMountOptions mount = of("packing.durability", "synced");
        assertThat(mount.contradiction(of("packing.durability", "uploaded"), "m"))
                .isEmpty();
        assertThat(mount.contradiction(of("packing.durability", "synced"), "m")).isEmpty();
        assertThat(mount.contradiction(of("packing.durability", "buffered"), "m"))
                .get()
                .asString()
                .contains(
                        "packing.durability=synced",
                        "buffered is asked for",
                        "mount m: ",
                        "packing mounts set --option");
        assertThat(SharedMountOptions.NONE.contradiction(of("packing.durability", "buffered"), "m"))
                .isPresent();
    }

    @Test
    void valuesAreComparedAndNotTheirSpelling() {
        SharedMountOptions mount = of("packing.gc.grace", "60m", "packing.backup.min.changes", "1_000");
        assertThat(mount.contradiction(of("packing.gc.grace", "1h", "packing.backup.min.changes", "1K"), "m"))
                .isEmpty();
        assertThat(mount.contradiction(of("packing.gc.grace", "0s"), "m")).isPresent();
        assertThat(SharedMountOptions.NONE.contradiction(of("packing.gc.grace", "1h"), "m"))
                .isEmpty();
    }

    @Test
    void everyContradictionIsNamed() {
        assertThat(SharedMountOptions.NONE.contradiction(
                        of("packing.gc.grace", "0s", "packing.encryption.key", "mine", "packing.dedup", "file"), "m"))
                .get()
                .asString()
                .contains("packing.gc.grace=1h, and 0s is asked for")
                .contains("packing.encryption.key=(none), and mine is asked for")
                .contains("packing.dedup=none, and file is asked for");
    }

    @Test
    void aClientNeedNotShareBytesOfAMountThatShares() {
        assertThat(of("packing.dedup", "file").contradiction(of("packing.dedup", "none"), "m"))
                .isEmpty();
    }

    @Test
    void anEmptyKeyIsNoKey() {
        assertThat(of("packing.encryption.key", " ")).isEqualTo(SharedMountOptions.NONE);
    }

    @Test
    void whatIsNoDurationIsRefusedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of("packing.gc.grace", ""))
                .withMessageContaining("packing.gc.grace");
    }

    @Test
    void aKeyIsReplacedAndNeverTakenAway() {
        SharedMountOptions mount = SharedMountOptions.NONE.with(Map.of("packing.encryption.key", "small"));
        assertThat(mount.with(Map.of("packing.encryption.key", "other")).get(BdtOptions.ENCRYPTION_KEY))
                .isEqualTo("other");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> mount.with(Map.of("packing.encryption.key", "")))
                .withMessageContaining("stays so");
    }

    @Test
    void onlyOptionsOfThisKindAreChangedAndTheNearestIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SharedMountOptions.NONE.with(Map.of("packing.gc.grac", "1h")))
                .withMessageContaining("did you mean 'packing.gc.grace'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SharedMountOptions.NONE.with(Map.of("packing.threads", "4")))
                .withMessageContaining("packing.durability");
    }

    @Test
    void sharingIsNotHadWithUploads() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of("packing.dedup", "file", "packing.durability", "uploaded"))
                .withMessageContaining("packing.dedup");
    }
}
