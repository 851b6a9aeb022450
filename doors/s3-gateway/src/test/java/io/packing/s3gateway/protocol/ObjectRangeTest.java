// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class ObjectRangeTest {
    @Test
    void aRangeEndsAtTheObjectsEnd() throws S3Exception {
        assertThat(ObjectRange.of("bytes=0-4", 10)).hasValue(new ObjectRange(0, 4));
        assertThat(ObjectRange.of("bytes=4-", 10)).hasValue(new ObjectRange(4, 9));
        assertThat(ObjectRange.of("bytes=4-100", 10)).hasValue(new ObjectRange(4, 9));
        assertThat(ObjectRange.of("bytes=-3", 10)).hasValue(new ObjectRange(7, 9));
        assertThat(ObjectRange.of("bytes=-30", 10)).hasValue(new ObjectRange(0, 9));
    }

    @Test
    void otherFormsMeanTheWholeObject() throws S3Exception {
        for (String header : new String[] {"bytes=5-4", "bytes=-", "bytes=0-1,3-4", "lines=1-2", "", "bytes=a-b"}) {
            assertThat(ObjectRange.of(header, 10)).as(header).isEqualTo(Optional.empty());
        }
    }

    @Test
    void aRangeBehindTheEndIsRefused() {
        for (String header : new String[] {"bytes=10-", "bytes=10-12", "bytes=-0"}) {
            assertThatThrownBy(() -> ObjectRange.of(header, 10))
                    .as(header)
                    .isInstanceOfSatisfying(
                            S3Exception.class, e -> assertThat(e.code()).isEqualTo(S3Code.INVALID_RANGE));
        }
        assertThatThrownBy(() -> ObjectRange.of("bytes=0-0", 0)).isInstanceOf(S3Exception.class);
    }

    @Test
    void theRangeOfACopyIsWithinTheSource() throws S3Exception {
        assertThat(ObjectRange.ofCopy("bytes=2-9", 10)).isEqualTo(new ObjectRange(2, 9));
        for (String header : new String[] {"bytes=2-10", "bytes=2-", "bytes=-2", "bytes=5-4", "2-3"}) {
            assertThatThrownBy(() -> ObjectRange.ofCopy(header, 10)).as(header).isInstanceOf(S3Exception.class);
        }
    }
}
