// SPDX-License-Identifier: Apache-2.0
package io.packing.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OptionsTest {
    private static final Option<Integer> THREADS =
            new Option<>("packing.threads", "16", "Packing threads.", Parsers.count(1, 256));
    private static final Option<Long> BLOB =
            new Option<>("packing.blob.max.bytes", "1GB", "Blob size.", Parsers::bytes);

    @Test
    void misspeltKeyIsRefusedWithTheNearestValidOne() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> check(Map.of("packing.thread", "3")))
                .withMessageContaining("'packing.thread'")
                .withMessageContaining("did you mean 'packing.threads'")
                .withMessageContaining("packing.blob.max.bytes");
    }

    @Test
    void impossibleValueIsRefusedWithItsKeyAndRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> check(Map.of("packing.threads", "0")))
                .withMessageContaining("packing.threads")
                .withMessageContaining("from 1 to 256");
    }

    @Test
    void defaultsHoldAndForeignKeysAreIgnored() {
        Options options = check(Map.of("alluxio.whatever", "1"));
        assertThat(options.get(THREADS)).isEqualTo(16);
        assertThat(options.isSet(THREADS)).isFalse();
    }

    @Test
    void sizesAndDurationsCarryUnits() {
        assertThat(Parsers.bytes("1GB")).isEqualTo(1L << 30);
        assertThat(Parsers.bytes("1.5 KiB")).isEqualTo(1536);
        assertThat(Parsers.duration("500ms")).isEqualTo(Duration.ofMillis(500));
        assertThatIllegalArgumentException().isThrownBy(() -> Parsers.bytes("-1"));
        assertThatIllegalArgumentException().isThrownBy(() -> Parsers.bytes("9999999999TB"));
        assertThatIllegalArgumentException().isThrownBy(() -> Parsers.duration("5"));
    }

    /**
     * Clients send options to the master: a long value must cost no more than its length, and not the stack of a
     * thread.
     */
    @Test
    void aValueOfAMillionCharactersIsRefused() {
        for (String piece : List.of("1", "1_", "1.", "1e", "M", " ")) {
            String many = piece.repeat(1_000_000) + "1";
            assertThatIllegalArgumentException().isThrownBy(() -> Parsers.number(many));
            assertThatIllegalArgumentException().isThrownBy(() -> Parsers.bytes(many));
            assertThatIllegalArgumentException().isThrownBy(() -> Parsers.duration(many));
        }
    }

    @Test
    void aNumberIsWrittenAsPeopleWriteLargeOnes() {
        for (String hundredMillions :
                List.of("100000000", "100_000_000", "1e8", "1E+8", "0.1e9", "100M", "0.1G", " 1e8 ")) {
            assertThat(Parsers.whole(hundredMillions)).as(hundredMillions).isEqualTo(100_000_000);
        }
        assertThat(Parsers.whole("-1")).isEqualTo(-1);
        assertThat(Parsers.whole("1500e-2")).isEqualTo(15);
        assertThat(Parsers.number("1.5k").doubleValue()).isEqualTo(1_500);
        assertThat(Parsers.whole("9223372036854775807")).isEqualTo(Long.MAX_VALUE);
        assertThat(Parsers.count(1, 5_000).apply("2k")).isEqualTo(2_000);
        for (String wrong : List.of(
                "",
                "-",
                "1__0",
                "_1",
                "1_",
                "1,000",
                "1e",
                "1e999",
                "1e999999999",
                "NaN",
                "Infinity",
                "0x10",
                "1MB",
                "1 M",
                "1d",
                "1f",
                "٣",
                "9223372036854775808",
                "-1e19",
                "1.5",
                "1e-1",
                "1P")) {
            assertThatIllegalArgumentException().as(wrong).isThrownBy(() -> Parsers.whole(wrong));
        }
        for (String wrong : List.of("0", "1.5", "many", "6k", "1e20")) {
            assertThatIllegalArgumentException()
                    .as(wrong)
                    .isThrownBy(() -> Parsers.count(1, 5_000).apply(wrong))
                    .withMessage("expected a whole number from 1 to 5000");
        }
    }

    @Test
    void aShareIsANumberFromZeroToOne() {
        assertThat(Parsers.share("0")).isZero();
        assertThat(Parsers.share("0.3")).isEqualTo(0.3);
        assertThat(Parsers.share("1")).isEqualTo(1);
        for (String wrong : List.of("1.1", "-0.1", "NaN", "30%", "1e-1", "")) {
            assertThatIllegalArgumentException().isThrownBy(() -> Parsers.share(wrong));
        }
    }

    private static Options check(Map<String, String> raw) {
        return Options.check(raw, "packing.", List.of(THREADS, BLOB));
    }

    @Test
    void aKeyOfAnEarlierVersionIsTakenAndSaysWhatReplacedIt() {
        Option<Integer> now = new Option<>("p.new.key", "1", "Meaning.", Parsers.count(0, 10)).replacing("p.old.key");
        Options options = Options.check(Map.of("p.old.key", "7"), "p.", List.of(now));
        assertThat(options.get(now)).isEqualTo(7);
        assertThat(options.isSet(now)).isTrue();
        assertThat(Options.warnings(Map.of("p.old.key", "7", "p.new.key", "7"), List.of(now)))
                .containsExactly("option p.old.key was replaced by p.new.key; the old key is still taken");
        assertThat(Options.warnings(Map.of("p.new.key", "7"), List.of(now))).isEmpty();
        assertThatThrownBy(() -> Options.check(Map.of("p.old.key", "7", "p.new.key", "7"), "p.", List.of(now)))
                .hasMessage("option p.new.key stands there twice, once under a key of an earlier version");
        assertThatThrownBy(() -> Options.check(Map.of("p.old.key", "70"), "p.", List.of(now)))
                .hasMessageContaining("option p.new.key: bad value '70'");
    }

    @Test
    void theMessageOfABadUrlDoesNotShowThePasswordInIt() {
        Option<String> url = new Option<>("a.url", "", "A URL.", text -> {
            throw new IllegalArgumentException("expected another");
        });
        assertThatIllegalArgumentException()
                .isThrownBy(() -> url.parse("http://user:s3cret@host:1"))
                .withMessageContaining("'http://...@host:1'");
    }
}
