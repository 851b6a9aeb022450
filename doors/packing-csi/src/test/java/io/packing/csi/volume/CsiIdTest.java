// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.packing.bdt.ExtendedValue;
import io.packing.blob.FilePath;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of ids, keys and records. */
class CsiIdTest {
    private static final FilePath AT = new FilePath("/volumes/volumes/pvc-1");
    private static final CsiId VOLUME = new CsiId("0123456789abcdef", new CsiKey("pvc-1"));

    @Test
    void anIdIsReadAsItIsWritten() throws CsiRefusal {
        for (String name : List.of("pvc-1", "a", "a.b", "Ü", "x".repeat(64), "x".repeat(65))) {
            CsiId id = new CsiId("0123456789abcdef", CsiKey.ofName("volume", name));
            assertThat(CsiId.parse(id.toString())).contains(id);
            assertThat(id.toString()).hasSizeLessThanOrEqualTo(128);
        }
        for (String text : List.of(
                "", "pvc-1", "0123456789abcdef", "0123456789abcdef.", "0123456789abcdeg.a", "fake-vol-id-1234567890")) {
            assertThat(CsiId.parse(text)).as(text).isEmpty();
        }
    }

    @Test
    void twoNamesNeverHaveOneKey() throws CsiRefusal {
        assertThat(CsiKey.ofName("volume", "a")).isEqualTo(new CsiKey("a"));
        CsiKey hashed = CsiKey.ofName("volume", "A");
        assertThat(hashed.value()).startsWith("~");
        // A name that looks like a hash gets another one.
        assertThat(CsiKey.ofName("volume", hashed.value())).isNotEqualTo(hashed);
    }

    @Test
    void recordsAreReadAsTheyAreWritten() throws CsiRefusal {
        VolumeParameters parameters = VolumeParameters.from(Map.of("names", "7", "mode", "755", "uid", "1"));
        for (Optional<VolumeSource> source : List.of(
                Optional.<VolumeSource>empty(),
                Optional.of(new VolumeSource(VolumeSource.Kind.SNAPSHOT, VOLUME)),
                Optional.of(new VolumeSource(VolumeSource.Kind.VOLUME, VOLUME)))) {
            VolumeRecord record = new VolumeRecord("a=b ü", 5, parameters, source);
            assertThat(VolumeRecord.decode(AT, record.encode())).isEqualTo(record);
        }
        for (Optional<CsiId> group : List.of(Optional.<CsiId>empty(), Optional.of(VOLUME))) {
            SnapshotRecord record = new SnapshotRecord("s", VOLUME, 1_700_000_000_000L, 0, group);
            assertThat(SnapshotRecord.decode(AT, record.encode())).isEqualTo(record);
        }
        GroupRecord group = new GroupRecord("g", 1, List.of(VOLUME, VOLUME), List.of(VOLUME, VOLUME));
        assertThat(GroupRecord.decode(AT, group.encode())).isEqualTo(group);
    }

    /** A record of a newer driver is not taken for another volume's. */
    @Test
    void aRecordOfAnotherVersionIsRefused() {
        for (String text :
                List.of("", "2\nname=a\ncapacity=1", "1", "1\nname=a", "1\nname=a\ncapacity=x", "1\nwords")) {
            assertThatIllegalStateException()
                    .as(text)
                    .isThrownBy(() -> VolumeRecord.decode(AT, new ExtendedValue(text.getBytes(StandardCharsets.UTF_8))))
                    .withMessageContaining("update the driver");
        }
    }

    @Test
    void aCapacityIsWithinItsRange() throws CsiRefusal {
        assertThat(VolumeCapacity.of(0, 0).choose(0)).isZero();
        assertThat(VolumeCapacity.of(5, 0).choose(0)).isEqualTo(5);
        assertThat(VolumeCapacity.of(0, 7).choose(0)).isEqualTo(7);
        assertThat(VolumeCapacity.of(5, 7).choose(6)).isEqualTo(6);
        assertThatExceptionOfType(CsiRefusal.class)
                .isThrownBy(() -> VolumeCapacity.of(5, 7).choose(8))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(CsiRefusal.Reason.OUT_OF_RANGE));
        assertThatExceptionOfType(CsiRefusal.class).isThrownBy(() -> VolumeCapacity.of(7, 5));
        assertThatExceptionOfType(CsiRefusal.class).isThrownBy(() -> VolumeCapacity.of(-1, 0));
    }
}
