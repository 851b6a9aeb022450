// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.blob.FileVersion;
import org.junit.jupiter.api.Test;

/** Bytes are kept by version, up to a sum, and those go first that were not used for the longest time. */
class RecentBytesTest {
    private static FileVersion version(int id) {
        return new FileVersion(id, id);
    }

    @Test
    void theLeastRecentlyUsedGoFirst() {
        RecentBytes recent = new RecentBytes(3_500);
        for (int i = 1; i <= 3; i++) {
            recent.put(version(i), new byte[1_000]);
        }
        assertThat(recent.get(version(1))).isPresent();
        recent.put(version(4), new byte[1_000]);
        assertThat(recent.get(version(1))).isPresent();
        assertThat(recent.get(version(2))).isEmpty();
        assertThat(recent.get(version(3))).isPresent();
        assertThat(recent.get(version(4))).isPresent();
    }

    @Test
    void anotherGenerationHasOtherBytes() {
        RecentBytes recent = new RecentBytes(3_500);
        recent.put(new FileVersion(1, 1), new byte[] {1});
        recent.put(new FileVersion(1, 2), new byte[] {2});
        assertThat(recent.get(new FileVersion(1, 1)).orElseThrow()).containsExactly(1);
        assertThat(recent.get(new FileVersion(1, 2)).orElseThrow()).containsExactly(2);
    }

    @Test
    void aLargeObjectIsNotKept() {
        RecentBytes recent = new RecentBytes(1 << 20);
        recent.put(version(1), new byte[RecentBytes.MOST_OF_ONE + 1]);
        assertThat(recent.get(version(1))).isEmpty();
    }
}
