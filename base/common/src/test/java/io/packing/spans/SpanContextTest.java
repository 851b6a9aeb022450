// SPDX-License-Identifier: Apache-2.0
package io.packing.spans;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpanContextTest {
    private static final String HEADER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    @Test
    void theExampleOfTheStandardIsReadAndWritten() {
        SpanContext context = SpanContext.ofHeader(HEADER);
        assertThat(context)
                .isEqualTo(new SpanContext(0x0af7651916cd43ddL, 0x8448eb211c80319cL, 0xb7ad6b7169203331L, true));
        assertThat(context.toHeader()).isEqualTo(HEADER);
        assertThat(SpanContext.ofBytes(context.toBytes())).isEqualTo(context);
    }

    @Test
    void aLaterVersionIsReadAsFarAsItIsKnown() {
        assertThat(SpanContext.ofHeader("cc" + HEADER.substring(2) + "-what-the-future-brings")
                        .sampled())
                .isTrue();
    }

    @Test
    void whoDoesNotSampleHasDecidedThat() {
        SpanContext context = SpanContext.ofHeader(HEADER.replace("-01", "-00"));
        assertThat(context.exists()).isTrue();
        assertThat(context.sampled()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
                "00-0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b716920333\u0661-01",
                "zz-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
            })
    void whatIsNoContextIsNone(String text) {
        assertThat(SpanContext.ofHeader(text)).isSameAs(SpanContext.NONE);
    }

    @Test
    void bytesOfAnotherLengthOrOfZerosAreNone() {
        for (int length = 0; length < 60; length++) {
            assertThat(SpanContext.ofBytes(new byte[length])).isSameAs(SpanContext.NONE);
        }
    }
}
